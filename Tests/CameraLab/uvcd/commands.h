// Commands from a user or a test: uvcd ctl.
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stddef.h>

// Obeys one command of words; what it answers.
void obey(char *line, int port, char *answer, size_t size);

// Sends words to the camera that listens at a socket, and prints its answer; the exit status.
int send_command(const char *socket, int count, char **words);

// Listens for commands; a descriptor to poll.
int listen_for_commands(const char *socket);

// Takes and answers one of them.
void take_command(int listener, int port);

#endif
