# Lines that tests reach, module by module, from llvm-cov's report; fails below what is asked for.
/^Sources\// || /\/Sources\// {
  match($1, /Sources\/[^\/]+/)
  module = substr($1, RSTART + 8, RLENGTH - 8)
  lines[module] += $8
  missed[module] += $9
}
END {
  for (module in lines) {
    asked = module ~ /^(ColorScience|WhiteBalance|CalibrationTargets)$/ ? 97 : 85
    share = 100 * (1 - missed[module] / lines[module])
    verdict = share < asked ? "  too few, " asked " % are asked for" : ""
    if (verdict) failed = 1
    printf "%-16s %6d lines %6.2f %%%s\n", module, lines[module], share, verdict | "sort"
  }
  close("sort")
  exit failed
}
