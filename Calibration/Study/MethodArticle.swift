/// The article about the published methods in the library's documentation.
func methodArticle() -> String {
  let inverse = MethodComparison.methods.filter { $0.temperature != nil }
  let forward = MethodComparison.methods.filter { $0.chromaticity != nil }
  return """
    # Published methods and how they differ

    Why other programs show other temperatures for the same light, and by how much.

    ## Overview

    Correlated color temperature has one definition: the nearest point of the Planckian locus in
    the CIE 1960 diagram. ``PlanckianLocus`` follows it to the last digits of `Double`. Most
    programs use one of the methods below instead, which are older and shorter, and their results
    differ from those of this library by the method's error. The library includes these methods to
    explain such differences; it does not need them. `wbcal convert --method` supports all of them.

    - ``Robertson1968/robertson``: 31 isotherms from 1667 K to infinite, straight lines between
      them. Both directions, with Duv. Its rows have five decimals, and between them the locus
      bends away from the chord, always to the same side; Duv is therefore too high by up to 1e-4,
      a third of a unit of tint.
    - ``Robertson1968/adobeDNG``: the same with one misprinted figure, and limited to the ends of
      the table.
    - ``Ohno2013``: rows 1 % apart, a triangle or a parabola through three of them. Both
      directions, with Duv, 1000 to 20 000 K; the error of 1 K for |Duv| ≤ 0.03 that its author
      states is confirmed.
    - ``McCamy1992``: a cubic of one slope. Kelvin only. It assumes that all isotherms meet in one
      point, which is approximately true for daylight; the error grows with Duv and towards red and
      blue.
    - ``HernandezAndres1999``: exponentials of the slope from another epicenter, 3000 to 800 000 K.
      Kelvin only. Better than McCamy's cubic for blue skylight, worse for lamps off the locus.
    - ``Krystek1985``: from temperature to the locus, 1000 to 15 000 K; a ratio of two parabolas.
    - ``Kang2002``: from temperature to the locus, 1667 to 25 000 K; cubics fitted in x, y.
    - ``DaylightLocus``: not an approximation of the Planckian locus but another curve, about 0.003
      Duv (10 tint) on its green side. Programs that convert kelvin to daylight differ from those
      that convert it to black bodies by that amount at any temperature above 4000 K.

    Another cause is the radiation constant c₂. All tables here are for CIE's value, 1.4388e-2 m·K;
    with CODATA's of 2018 every temperature is lower by a factor of 0.999984, 0.1 K at 6500 K
    (``RadiationConstant``).

    ## Lightroom and the DNG SDK

    Adobe's SDK computes temperature and tint by Robertson's method, and its tint is that of this
    library: 3000 times Duv along the isotherm. For exactly 6504 K on the locus it gives 6503.3 K
    and tint +0.15. Its copy of the table has a misprint, u = 0.24702 instead of 0.24792 at 325
    mired, which changes all results between 2857 and 3333 K: for exactly 3077 K it gives 3056 K
    and tint −0.9. Little CMS has the same figure. For light bluer than 100 000 K or redder than
    1667 K it gives these limits. Lightroom's slider names the correction of the picture, so that
    its positive end is labeled magenta. If ``Robertson1968/adobeDNG`` and a program still disagree,
    the difference comes from the camera's matrices, which convert raw values to x, y beforehand.

    ## darktable and RawTherapee

    The tint of these programs is another quantity and cannot be converted to the tint of this
    library. It is not a distance along an isotherm: in darktable's white balance it divides the Y
    of an illuminant whose X and Z are determined by the temperature, and in RawTherapee it
    multiplies green. Changing it changes the correlated temperature as well, and the temperature
    shown is not a correlated one: it is that of a black body below 4000 K and of daylight above.
    Compare x, y, or gains, not these numbers.

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
