// Control requests: those of every USB device, and those of UVC.
#ifndef REQUESTS_H
#define REQUESTS_H

#include <stdint.h>

enum { NO_ANSWER = -1000 };

// Answers a request: the length of the answer, a negative error to refuse, or NO_ANSWER.
int answer_request(const uint8_t setup[8], const uint8_t *sent, uint8_t *reply);

// Changes a control from inside the camera, as a person turning a knob.
void change_control(int control, int32_t value);

#endif
