/** What browsers with trusted types offer. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

/** The one policy of the pages: scripts of this server's own files, and nothing else becomes script. DEC-WEB-03. */
const policy = trustedTypes?.createPolicy('bourse', {
  createScriptURL: (url) => {
    const { origin, pathname } = new URL(url, location.origin);
    if (origin !== location.origin || !pathname.startsWith('/assets/')) throw new TypeError('not a file of the pages');
    return url;
  },
});

/** The address of a script of the pages, as browsers with trusted types take it. */
export const trustedUrl = (url: string): string => policy?.createScriptURL(url) ?? url;
