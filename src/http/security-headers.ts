/**
 * Headers of every answer, refusals and pages too: browsers take bodies for what they are declared to be, and tell no
 * other site the address of a page, whose query may hold a signature. Names and values in turn. DEC-REQ-43.
 */
export const securityHeaderList = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'] as const;

const [sniffing, noSniffing, referrer, noReferrer] = securityHeaderList;

/** The same as a record. */
export const securityHeaders = { [sniffing]: noSniffing, [referrer]: noReferrer } as const;

/** The same as lines of a head that is written by hand, each with its end. */
export const securityHeaderLines = `${sniffing}: ${noSniffing}\r\n${referrer}: ${noReferrer}\r\n`;
