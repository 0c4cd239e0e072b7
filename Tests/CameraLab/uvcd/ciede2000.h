// The color difference CIEDE2000 (Sharma, Wu, Dalal, Color Research & Application 30, 2005).
#ifndef CIEDE2000_H
#define CIEDE2000_H

// Between two colors in CIELAB, all parametric factors 1.
double ciede2000(const double one[3], const double other[3]);

// Of linear sRGB from the neutral color of its lightness, white D65.
double distance_from_neutral(const double rgb[3]);

#endif
