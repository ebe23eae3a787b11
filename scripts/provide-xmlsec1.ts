import { spawnSync } from 'node:child_process';
import { installFromDebian } from './install-from-debian.ts';

/** The second opinion on our XML signatures. Where it is missing and cannot be installed, that one test is skipped. */
export function provideXmlsec1(): void {
  if (spawnSync('xmlsec1', ['--version']).status === 0) return;
  const isInstalled = installFromDebian('xmlsec1');
  const outcome = isInstalled ? 'installed it from Debian (apt-get)' : 'signatures are verified without it';
  console.log(`No xmlsec1 was found: ${outcome}`);
}
