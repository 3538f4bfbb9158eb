import { createRequire } from 'node:module';

/** Path of Anvil's binary; ends the process with a reason where this platform has none. */
export function anvilBinary() {
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil${suffix}`;
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    console.error(`There is no Anvil for this platform: ${name} is not installed.`);
    process.exit(1);
  }
}
