extension CalibrationReport {
  /// The page's style sheet, without "<" and "&", so that the page stays well-formed XML: the look
  /// of all pages, then the report's own styles.
  static let style =
    String(decoding: EmbeddedFile.bytes(named: "look.css") ?? [], as: UTF8.self) + ownStyle

  private static let ownStyle = """
    :root{--field:.42}
    @media (prefers-color-scheme:dark){:root{--field:.34}}
    body{margin:0;background:var(--panel);color:var(--ink);font-size:16px;line-height:1.5}
    main{max-width:920px;margin:0 auto;padding:48px 24px 40px}
    .kicker{margin:0;color:var(--soft);font-size:14px}
    h1{margin:2px 0 14px;font-size:30px;line-height:1.2;font-weight:600;letter-spacing:-.01em;
    overflow-wrap:anywhere}
    h2{margin:0 0 14px;font-size:19px;line-height:1.3;font-weight:600}
    .headline{margin:0 0 12px;font-size:18px;line-height:1.5;max-width:44em;overflow-wrap:anywhere}
    .meta{margin:0;color:var(--soft);font-size:14px;overflow-wrap:anywhere}
    .meta span+span::before{content:"·";margin:0 .5em 0 .2em}
    section{margin-top:44px}
    p{max-width:44em}
    .note,figcaption,footer{color:var(--soft);font-size:14px;line-height:1.5}
    figure{margin:0;max-width:660px}
    figure+figure{margin-top:24px}
    figure.whole{margin-top:28px;max-width:560px}
    figcaption{margin-top:8px;max-width:44em}
    svg{display:block;width:100%;height:auto;font-size:13px;overflow:visible}
    figcaption p{margin:0 0 6px}
    .legend span{display:inline-block;margin-right:18px}
    svg.swatch{display:inline-block;width:20px;height:14px;vertical-align:-2px;margin-right:6px}
    svg text{fill:var(--ink)}
    svg .small{font-size:12px;fill:var(--soft)}
    svg .axis{fill:var(--soft);font-size:13px}
    svg .name{font-weight:600}
    svg line,svg path,svg circle,svg rect{vector-effect:non-scaling-stroke}
    .grid{stroke:var(--hair);stroke-width:1}
    .field{opacity:var(--field)}
    .cross{stroke:var(--ink);stroke-width:1.4}
    .seen{fill:none;stroke:var(--bad);stroke-width:1.5}
    .error{stroke:var(--bad);stroke-width:1.5}
    .ellipse{fill:var(--ink);fill-opacity:.1;stroke:var(--ink);stroke-width:1}
    .lamp{fill:none;stroke:var(--ink);stroke-width:1.2}
    .leader,.pair{stroke:var(--soft);stroke-width:.8}
    .pair{stroke-opacity:.5}
    .unity{stroke:var(--soft);stroke-width:1}
    .curve{fill:none;stroke:var(--ink);stroke-width:1.8}
    .curve.other{stroke-width:1.3;stroke-dasharray:6 4}
    .curve.red{stroke:var(--red)}
    .curve.blue{stroke:var(--blue)}
    .curve.green{stroke:var(--green)}
    .band{fill-opacity:.25}
    .share.red,.band.red{fill:var(--red)}
    .share.green,.band.green{fill:var(--green)}
    .share.blue,.band.blue{fill:var(--blue)}
    svg .inside{fill:var(--panel);font-size:12px}
    .curve-name{font-weight:600}
    svg text.red{fill:var(--red)}
    svg text.blue{fill:var(--blue)}
    .measured{stroke:none}
    .measured.red{fill:var(--red)}
    .measured.blue{fill:var(--blue)}
    .measured.green{fill:var(--green)}
    .measured.neutral{fill:var(--ink)}
    .predicted{fill:none;stroke-width:1.2}
    .predicted.red{stroke:var(--red)}
    .predicted.blue{stroke:var(--blue)}
    .predicted.neutral{stroke:var(--ink)}
    .scroll{overflow-x:auto;scrollbar-width:thin;background:
    linear-gradient(to right,var(--panel) 40%,transparent) left/36px 100% no-repeat local,
    linear-gradient(to left,var(--panel) 40%,transparent) right/36px 100% no-repeat local,
    linear-gradient(to right,var(--rule),transparent) left/12px 100% no-repeat scroll,
    linear-gradient(to left,var(--rule),transparent) right/12px 100% no-repeat scroll}
    table{border-collapse:collapse;width:100%;font-size:14px;line-height:1.4}
    table.narrow{width:auto}
    table.narrow tbody th.text{min-width:5.5em}
    th,td{padding:5px 0 5px 10px;text-align:right;white-space:nowrap;font-weight:400;
    vertical-align:baseline}
    th.text{text-align:left;padding-left:0}
    tbody th.text{font-weight:600;white-space:normal;overflow-wrap:break-word;min-width:7em;
    max-width:17em}
    .gap{padding-left:20px}
    thead th{color:var(--soft);vertical-align:bottom}
    thead th[colspan]{text-align:center;padding-left:20px;padding-bottom:0}
    thead tr:last-child th,thead th[rowspan]{border-bottom:1px solid var(--rule)}
    tbody tr+tr>*{border-top:1px solid var(--hair)}
    tbody+tbody tr:first-child>*{border-top:1px solid var(--rule)}
    #residuals :is(th,td){padding-left:7px}
    #residuals .gap{padding-left:14px}
    #residuals th.text{padding-left:0}
    #residuals tbody th.text{min-width:6em}
    td.key{font-weight:600}
    th small{display:block;color:var(--soft);font-size:13px;font-weight:400}
    .advice{margin:0 0 18px;padding-left:1.2em;max-width:44em;overflow-wrap:anywhere}
    .advice li+li{margin-top:8px}
    pre{margin:6px 0 14px;padding:10px 14px;background:var(--paper);border-radius:6px;
    white-space:pre-wrap;overflow-wrap:anywhere;font-size:14px}
    code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
    dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 20px;margin:0 0 24px;\
    font-size:15px}
    dt{color:var(--soft)}
    dd{margin:0;overflow-wrap:anywhere}
    summary{cursor:pointer;font-weight:600}
    footer{margin-top:40px;padding-top:14px;border-top:1px solid var(--rule)}
    @media (max-width:560px){main{padding:28px 16px 32px}h1{font-size:25px}.headline{font-size:17px}
    svg{font-size:15px}svg .small{font-size:14px}svg .axis{font-size:15px}
    table{font-size:13px}.gap{padding-left:14px}
    #residuals th.text{position:sticky;left:0;background:var(--panel);min-width:7.5em;max-width:9em;
    padding-right:8px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}}
    @media print{:root{--panel:#fff;--ink:#000;--soft:#444;--rule:#bbb;--hair:#ddd;--paper:#f5f5f5;
    --red:#b02a26;--green:#226b26;--blue:#1d4fa0;--bad:#b3261e;--field:.5}
    body{font-size:11pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}
    main{max-width:none;padding:0}section{margin-top:22pt}
    figure,tr,pre,li{break-inside:avoid}h2{break-after:avoid}
    figure,figure.whole{max-width:15cm}.scroll,pre{overflow:visible}.scroll{background:none}
    table{font-size:9pt}th,td{padding-left:6pt}.gap{padding-left:12pt}
    #residuals{font-size:8pt}#residuals :is(th,td){padding-left:3pt}\
    #residuals th.text{padding-left:0}
    #residuals .gap{padding-left:7pt}}
    """
}
