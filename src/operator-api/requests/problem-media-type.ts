/** Content type of problems. RFC 9457. */
export const problemMediaType = 'application/problem+json';
