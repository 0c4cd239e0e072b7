# Calibrates a random camera, from the number in the file `seed`, under two lamps, and sets it to
# three. Prints the results and the true values as lines of a key and a value, which
# `make bench-chains-lab` reads.
. ./lib.sh
device=/dev/video0,size=160x120
# The number of seconds after which a command counts as hanging: 9000 frames.
patience=300

# draw: prints options of uvcd and the camera's fault as assignments of shell variables: those kinds
# of `simulated:chain=SEED` that uvcd supports.
draw() {
  awk -v seed="$(cat seed)" '
    function uniform() {
      # The minimal standard generator of Park and Miller; its high digits are random enough.
      state = state * 48271 % 2147483647
      return state / 2147483647
    }
    function between(low, high) { return low + (high - low) * uniform() }
    # Smaller values are more likely.
    function scale(low, high) { return low / (1 - uniform() * (1 - low / high)) }
    function whole(low, high) { return int(between(low, high + 1)) }
    function pick(list, parts) { return parts[whole(1, split(list, parts, " "))] }
    function option(text) { options = options " --" text }
    BEGIN {
      state = seed + 1
      # A nonlinear step, so that neighboring seeds give unrelated numbers.
      for (i = 0; i < 5; i++) {
        uniform()
        state = (state + 31 * int(state / 32768) * (state % 32768)) % 2147483646 + 1
      }
      option(sprintf("matrix %.2f", between(0.2, 1)))
      option(sprintf("saturation %.2f", 0.8 + between(0, 0.35) + between(0, 0.35)))
      if (uniform() < 0.2) option(sprintf("hue %d", between(-10, 10)))
      option(sprintf("s-curve %.2f", uniform() < 0.7 ? between(0, 0.5) : 0))
      option("lift " (uniform() < 0.6 ? whole(-6, 10) : 0))
      option("latency " pick("0 1 2 2 2 3 3 4 5 6 8 10 12 15"))
      if (uniform() < 0.25) option("jitter " whole(1, 3))
      if (uniform() < 0.25) option("slow " whole(10, 90))
      curve = uniform()
      if (curve < 0.45) option("curve srgb"); else if (curve < 0.6) option("curve bt709")
      flickers = uniform() < 0.15
      if (flickers) {
        level = between(0.5, 5)
        option(sprintf("flicker %.1f", level))
        option(sprintf("flicker-period %.1f", between(2.1, 20)))
        option(sprintf("flicker-color %.2f", between(0, 0.3)))
        flickers = level >= 3
      }
      law = pick("kelvin10 kelvin10 kelvin10 kelvin255 v256 v256 v256 v512 v512 additive")
      option("law " law)
      isPath = law ~ /kelvin/
      if (law == "v512" && uniform() < 0.3) option("levels " whole(700, 2000))
      if (!isPath && uniform() < 0.15) option("flat " whole(1, 12))
      if (uniform() < 0.12) option("falling")
      option("time-law " pick("absolute absolute absolute lines logarithmic"))
      option("gain-law " pick("decibels additive coarse"))
      noise = uniform() < 0.12 ? 0 : between(0.5, 2)
      fault = "none"
      if (uniform() < 0.5) {
        fault = pick("returnsAfter returnsAtStart isRelative readsLate readsInSteps hysteresis exposureStays drift" \
          (isPath ? "" : " takesLastOnly hysteresis"))
        if (fault == "returnsAfter") option("comeback " int(scale(5, 200)))
        if (fault == "returnsAtStart") option("comeback-at-start")
        if (fault == "isRelative") option("relative")
        if (fault == "readsLate") option("read-late " whole(1, 9))
        if (fault == "readsInSteps") option("read-step " pick("2 4"))
        if (fault == "takesLastOnly") option("last-only")
        if (fault == "exposureStays") option("exposure-stays")
        if (fault == "drift") option(sprintf("drift %.1f", scale(2, 30)))
        span = law == "kelvin10" ? 5500 : law == "v512" ? 4095 : law == "v256" ? 959 : 255
        if (fault == "hysteresis") option("hysteresis " int(1 + span * scale(0.002, 0.02)))
      }
      printf "options=\"%s\" fault=%s law=%s flickers=%d shot=%.4f read=%.4f\n",
        options, fault, law, flickers, 0.012 * noise, 0.002 * noise
    }'
}

# attempt NAME COMMAND...: runs a command, and prints its status, time and message.
attempt() {
  name=$1
  shift
  read -r before _ </proc/uptime
  timeout "$patience" "$@" >/run/said 2>&1
  status=$?
  read -r after _ </proc/uptime
  echo "attempt $name"
  echo "status $status"
  echo "seconds $(awk "BEGIN { print $after - $before }")"
  sed -n 's/^used \([0-9]*\) frames$/frames \1/p' /run/said
  sed -n 's/.*is expected CIEDE2000 \([0-9.]*\) .*/expected \1/p' /run/said
  sed -n 's/^wbcal: /message /p' /run/said | tail -n 1
}

eval "$(draw)"
echo "camera uvcd$options; noise $shot $read"
echo "fault $fault"
echo "controls $law"
echo "flickers $flickers"
# shellcheck disable=SC2086
start_camera --lamp A $options
uvcd ctl noise "$shot" "$read" >/dev/null
attempt calibrate ./wbcal calibrate --device "$device" --light A --light D65 \
  --change-light 'uvcd ctl lamp "$WBCAL_LIGHT"' -o /run/desk.json
if [ "$status" -eq 0 ]; then
  for lamp in A D65 D50; do
    uvcd ctl lamp $lamp >/dev/null
    attempt "set $lamp" ./wbcal set --device "$device" --profile /run/desk.json --light $lamp
    [ "$status" -eq 0 ] || continue
    # A new stream would undo the setting of such a camera; others stream until slow gains have
    # settled.
    [ "$fault" = returnsAtStart ] || { qvga && grab 120; } >/dev/null 2>&1
    echo "neutral $(uvcd ctl neutral)"
    case $law in kelvin*) echo "best $(uvcd ctl best | cut -d ' ' -f 1)" ;; *) echo "best 0" ;; esac
  done
fi
stop_camera >/dev/null 2>&1
echo "end"
