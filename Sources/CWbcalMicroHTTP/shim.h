#include <microhttpd.h>
#include <stddef.h>
#include <sys/socket.h>

// The configuration with which the server starts the library, whose function for it is variadic.
typedef struct {
  void *context;
  MHD_AccessHandlerCallback access;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback changed;
  // Called when a request line has arrived, with its target as sent.
  void *(*began)(void *context, const char *target, struct MHD_Connection *connection);
  int socket;
  unsigned int isIPv6, connections, seconds;
  size_t memory;
  // The certificate and key in PEM, ended by zeros; NULL without TLS.
  const char *certificate, *key;
} CMHDConfiguration;

// Starts one thread that polls. The library takes over the listening socket; returns NULL if it
// does not start.
static inline struct MHD_Daemon *cmhd_start(const CMHDConfiguration *c) {
  unsigned int flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
      (c->isIPv6 ? MHD_USE_IPv6 : 0) | (c->certificate ? MHD_USE_TLS : 0);
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)c->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)c->key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL}};
  return MHD_start_daemon(
      flags, 0, NULL, NULL, c->access, c->context, MHD_OPTION_LISTEN_SOCKET, c->socket,
      MHD_OPTION_NOTIFY_COMPLETED, c->completed, c->context, MHD_OPTION_NOTIFY_CONNECTION,
      c->changed, c->context, MHD_OPTION_URI_LOG_CALLBACK, c->began, c->context,
      MHD_OPTION_CONNECTION_LIMIT, c->connections, MHD_OPTION_CONNECTION_TIMEOUT, c->seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, c->memory, MHD_OPTION_ARRAY,
      c->certificate ? tls : tls + 3, MHD_OPTION_END);
}

// Returns the socket of a connection; -1 if the library does not report it.
static inline int cmhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
