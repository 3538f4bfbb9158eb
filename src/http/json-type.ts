/** Content type of JSON responses. */
export const jsonType = 'application/json;charset=utf-8';
