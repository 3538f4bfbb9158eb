/** What an exchange is run for: a market to develop against, or one with real users. */
export const profiles = ['sandbox', 'production'] as const;
export type Profile = (typeof profiles)[number];
