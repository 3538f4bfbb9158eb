import { defineConfig } from 'vitest/config';

/** As in a project that installed the package: what is built is not looked through. */
export default defineConfig({
  root: import.meta.dirname,
  test: { include: ['vitest-story.mjs'], server: { deps: { external: [/dist/] } } },
});
