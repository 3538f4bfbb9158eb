/**
 * Whether the `Upgrade` header asks for a websocket, the only supported protocol. Some clients offer HTTP/2 (`h2c`)
 * with every request; a server may ignore that and answer normally. RFC 9110, section 7.8. DEC-REQ-42.
 */
export const isWebsocketUpgrade = (upgrade: string | undefined): boolean => upgrade?.toLowerCase() === 'websocket';
