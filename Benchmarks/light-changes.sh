#!/usr/bin/env bash
# light-changes.sh RUN...: counts changes of the light that the detector notices, and its false
# alarms in hours of motion, in simulated rooms; and those that are noticed in series of pictures.
# RUN is the command that runs the tests of a filter that is appended to it. Prints
# Benchmarks/LIGHT.md.
set -euo pipefail
changes=${CHANGES:-5000} minutes=${MINUTES:-480} series=${SERIES:-300} first=${FIRST:-9000000}
said=$(mktemp)
trap 'rm -f "$said"' EXIT
# The tests fail if a promise is broken; the table then shows by how much.
env WBCAL_LIGHT_CHANGES="$changes" WBCAL_LIGHT_MINUTES="$minutes" WBCAL_LIGHT_SERIES="$series" \
  WBCAL_LIGHT_SEED="$first" "$@" \
  '(LightChangeDetectorTests|LightGroupsTests).(changesAreNoticed|motionIsNoChange|motifsAreNoLight)' \
  >"$said" || true
read -r count noticed early delay < <(sed -n 's/^light changes: //p' "$said")

cat <<END
# Changes of the light

Written by \`make bench-light\`: \`LightChangeDetector\` in simulated rooms, 30 frames a second. Measured sensors and lamps, half
of the cameras with raw frames, the others with a color matrix. The seeds are from $first on; no parameter of the method
was chosen by them.

## Changes that are noticed

Another lamp within three frames, 5 to 20 CIEDE2000 of a gray surface away and up to a stop brighter or darker, amid all
the motion below.

| changes | noticed within 10 frames | share | mean delay in frames | alarms before the change |
|---|---|---|---|---|
| $count | $noticed | $(awk "BEGIN { printf \"%.1f %%\", 100 * $noticed / $count }") | $delay | $early |

## False alarms

A new room every quarter of an hour.

| motion | hours | false alarms | in 8 hours |
|---|---|---|---|
END
declare -A meaning=(
  [people]='people walk through, with shadows; some stop'
  [cover]='somebody covers half of the picture' [clouds]='brightness ×0.5 to ×2 within seconds'
  [flicker]='flicker of the mains' [exposure]='steps of the exposure'
  [drift]='drift of up to 2 CIEDE2000' [screen]='a screen that shows a film'
  [curve]='a tone curve that is not the assumed one' [all]='all of these')
sed -n 's/^light alarms: //p' "$said" | while read -r kind length alarms; do
  awk -v text="${meaning[$kind]}" -v length_="$length" -v alarms="$alarms" \
    'BEGIN { printf "| %s | %g | %d | %.2g |\n", text, length_ / 60, alarms, 480 * alarms / length_ }'
done

cat <<END

## Series of pictures

\`LightGroups\` on series of 20 pictures by the same cameras under the same lamps, without a card, of seeds from 2,000,000
on. A motif is a room of random colors; a wall stays behind successive motifs for a random time. Exposures are automatic
within a third of a stop, and another lamp is brighter or darker by two stops (the standard deviation).

| series | under one light | with a boundary that is false | share |
|---|---|---|---|
END
declare -A meaning=(
  [motifs]='changing motifs' [exposures]='changing motifs, exposures known' [tripod]='one motif, exposures known')
sed -n 's/^light series: //p' "$said" | sort | while read -r kind count found; do
  awk -v text="${meaning[$kind]}" -v count="$count" -v found="$found" \
    'BEGIN { printf "| %s | %d | %d | %.1f %% |\n", text, count, found, 100 * found / count }'
done
cat <<END

Another lamp from one of the pictures on:

| series | CIEDE2000 | changes | noticed | share | of them to the picture |
|---|---|---|---|---|---|
END
sed -n 's/^light series changes: //p' "$said" | sort -k1,1 -k2,2n | while read -r kind low high count found exact; do
  awk -v text="${meaning[$kind]}" -v low="$low" -v high="$high" -v count="$count" -v found="$found" -v exact="$exact" \
    'BEGIN { printf "| %s | %g to %g | %d | %d | %.0f %% | %d |\n", text, low, high, count, found, 100 * found / count, exact }'
done
cat <<END

| series | noticed in all, 5 to 20 | 95 % intervals that contain the size | boundaries at a wrong place |
|---|---|---|---|
END
sed -n 's/^light series sizes: //p' "$said" | sort | while read -r kind found inside wrong; do
  awk -v text="${meaning[$kind]}" -v count="$series" -v found="$found" -v inside="$inside" -v wrong="$wrong" \
    'BEGIN { printf "| %s | %.1f %% | %.1f %% | %d |\n", text, 100 * found / count, 100 * inside / found, wrong }'
done
