/**
 * Headers of every response. They keep browsers from guessing another content type, and from sending the address of a
 * page, whose query may contain a signature, to other sites. Names and values in turn. DEC-REQ-43.
 */
export const securityHeaderList = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'] as const;

const [sniffing, noSniffing, referrer, noReferrer] = securityHeaderList;

/** The same as a record. */
export const securityHeaders = { [sniffing]: noSniffing, [referrer]: noReferrer } as const;

/** The same as header lines of a raw response, each with its line end. */
export const securityHeaderLines = `${sniffing}: ${noSniffing}\r\n${referrer}: ${noReferrer}\r\n`;

/** Content type of JSON responses. */
export const jsonType = 'application/json;charset=utf-8';
