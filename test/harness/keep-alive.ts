/**
 * Options of the HTTP servers of tests. With Node's keep-alive of 5 s, a client on a busy machine can reuse a connection at the
 * moment at which the server closes it. The value is that of the service.
 */
export const keepAlive = { keepAliveTimeout: 65_000 }
