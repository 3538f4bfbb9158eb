/** A name for an act that no other has. DEC-WEB-42. */
export function newActKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Whether it is not known after an answer of this status if something happened; 0: there was no answer. */
export const isUnknownOutcome = (status: number): boolean => status === 0 || status === 504 || status === 500;
