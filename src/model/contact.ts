/** Characters of a mail at most. */
const emailLength = 254;
const emailPattern = /^[!-?A-~]+@[!-?A-~]+$/;
const mobilePattern = /^\d{1,4} \d{4,15}$/;

/**
 * Whether a text can be the mail of an account: visible ASCII with one `@` inside, at most 254 characters. Nothing else
 * is let in, so that no two mails look alike, or become alike by folding. DEC-WAL-62.
 */
export const isEmail = (text: string): boolean => text.length <= emailLength && emailPattern.test(text);

/** Whether a text is an area code of 1 to 4 digits, a blank, and a number of 4 to 15 digits. DEC-WAL-62. */
export const isMobile = (text: string): boolean => mobilePattern.test(text);

/** The form in which mails are compared; of ASCII, so that no version of Unicode has a say. DEC-WAL-34. */
export const foldEmail = (email: string): string => email.toLowerCase();
