/**
 * Whether a request's `Upgrade` header asks for a websocket, the one protocol that the exchange switches to. Clients of
 * some platforms offer HTTP/2 (`h2c`) with every request: a server may ignore that and answer the request. RFC 9110,
 * section 7.8. DEC-REQ-42.
 */
export const isWebsocketUpgrade = (upgrade: string | undefined): boolean => upgrade?.toLowerCase() === 'websocket';
