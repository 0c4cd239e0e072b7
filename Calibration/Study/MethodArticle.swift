/// The article about the published methods in the library's documentation.
func methodArticle() -> String {
  let inverse = MethodComparison.methods.filter { $0.temperature != nil }
  let forward = MethodComparison.methods.filter { $0.chromaticity != nil }
  return """
    # Published methods and how they differ

    Why another program shows another temperature for the same light, and by how much.

    ## Overview

    Correlated color temperature has one definition: the nearest point of the Planckian locus in
    the CIE 1960 diagram. ``PlanckianLocus`` follows it to the last digits of `Double`. Most
    programs use one of the methods below instead, which are older and shorter, and their numbers
    differ from ours by the method's own error. The library has these methods so that a difference
    can be explained, not because they are needed. `wbcal convert --method` speaks them all.

    - ``Robertson1968/robertson``: 31 isotherms from 1667 K to infinite, straight lines between
      them. Both directions, with Duv. Its rows have five decimals, and between them the locus
      bends away from the chord, always to the same side; so Duv reads high by up to 1e-4, a third
      of a tint.
    - ``Robertson1968/adobeDNG``: the same with one figure misprinted and with ends at which it
      stops.
    - ``Ohno2013``: rows 1 % apart, a triangle or a parabola through three of them. Both
      directions, with Duv, 1000 to 20 000 K; its author's promise of 1 K for |Duv| ≤ 0.03 holds.
    - ``McCamy1992``: a cubic of one slope. Kelvin only. It takes all isotherms to meet in one
      point, which they do about, for daylight; the error grows with Duv and towards red and blue.
    - ``HernandezAndres1999``: exponentials of the slope from another epicenter, 3000 to 800 000 K. Kelvin only.
      Better than McCamy's cubic for the blue of the sky, worse for lamps off the locus.
    - ``Krystek1985``: from temperature to the locus, 1000 to 15 000 K; a ratio of two parabolas.
    - ``Kang2002``: from temperature to the locus, 1667 to 25 000 K; cubics fitted in x, y.
    - ``DaylightLocus``: not an approximation of the Planckian locus but another curve, about 0.003
      Duv (10 tint) on its green side. Programs that turn kelvin into daylight differ from those
      that turn it into black bodies by that much at any temperature above 4000 K.

    A last cause is the radiation constant c₂. All tables here are made for 1.4388e-2 m·K, as CIE
    has it; under CODATA's of 2018 every temperature is lower by a factor of 0.999984, 0.1 K at
    6500 K (``RadiationConstant``).

    ## Lightroom and the DNG SDK

    Adobe's SDK reads temperature and tint by Robertson's method, and its tint is ours: 3000 times
    Duv along the isotherm. What is exactly 6504 K on the locus reads 6503.3 K and tint +0.15
    there. Its copy of the table has a misprint, u = 0.24702 instead of 0.24792 at 325 mired, which
    bends all readings between 2857 and 3333 K: what is exactly 3077 K reads 3056 K and tint −0.9.
    Little CMS has the same figure. Light bluer than 100 000 K or redder than 1667 K is read at
    these ends. A slider of Lightroom names the correction of the picture, so that its plus is
    labeled magenta. What remains when ``Robertson1968/adobeDNG`` and a program disagree comes from
    the camera's matrices, which turn raw values into x, y before any of this.

    ## darktable and RawTherapee

    Their tint is another quantity, and does not convert to ours. It is no distance along an
    isotherm: in darktable's white balance it divides the Y of a light whose X and Z the
    temperature fixes, in RawTherapee it multiplies green. Moving it changes the correlated
    temperature as well, and the temperature shown is not a correlated one: it belongs to a black
    body below 4000 K and to daylight above. Compare x, y, or gains, not these numbers.

    ## Measured

    Written by `make methods`. Each cell has the largest and the median error against
    ``PlanckianLocus``, over 200 temperatures evenly spaced in mired in each band. A dash: no
    answer, or nothing of the kind. A dagger: some of the points are outside the method's domain,
    and are left out.

    ### Temperature, in kelvin

    \(MethodComparison.bandTable(inverse, MethodComparison.kelvin))

    ### Temperature, in mired

    \(MethodComparison.bandTable(inverse, MethodComparison.mired))

    ### Duv

    Times 3000 in tint.

    \(MethodComparison.bandTable(inverse.filter(\.hasDuv), MethodComparison.duv))

    ### From temperature and Duv to u, v

    \(MethodComparison.bandTable(forward, MethodComparison.distance))

    ### The whole range

    1000 to 100 000 K and |Duv| ≤ 0.05, the domain that ``PlanckianLocus`` is tested over;
    Krystek's and Kang's only on the locus. Points outside a method's domain have no answer and are
    left out of its errors.

    \(MethodComparison.wholeTable())
    """
}
