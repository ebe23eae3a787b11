import { hash } from 'node:crypto';
import type { Vault } from '../vault.ts';
import { Prng } from './prng.ts';

/**
 * Where a seed's keys, secrets and codes are derived from:
 * - `names`: public names alone. Every portal gets the same values, and anyone can compute them.
 * - `installation`: public names and the key that seals this database. No one else can compute the values.
 */
export type KeyOrigin = 'names' | 'installation';

/** Derives values that grant access. IDs don't grant access, so they are always derived from names. */
export interface KeySource {
  origin: KeyOrigin;
  /** Returns 32 bytes derived from a name. */
  bytes(name: string): Buffer;
  /** Returns a repeatable random generator seeded with a name. */
  prng(name: string): Prng;
}

/** Key source for portals that only this machine can reach (decision 205). */
export const NAMES_KEY_SOURCE: KeySource = {
  origin: 'names',
  bytes: (name) => hash('sha256', name, 'buffer'),
  prng: (name) => new Prng(name),
};

const fromInstallation = (vault: Vault): KeySource => ({
  origin: 'installation',
  bytes: (name) => vault.draw(name),
  prng: (name) => new InstallationPrng(vault, name),
});

/** Replaces the random words of `Prng`, which isn't secure enough for secrets, with words from the vault. */
class InstallationPrng extends Prng {
  private readonly vault: Vault;
  private readonly name: string;
  private drawn: Buffer = Buffer.alloc(0);
  private blocks = 0;

  constructor(vault: Vault, name: string) {
    super('');
    this.vault = vault;
    this.name = name;
  }

  protected override word(): number {
    if (this.drawn.length === 0) this.drawn = this.vault.draw(`${this.name}\n${this.blocks++}`);
    const word = this.drawn.readUInt32LE(0);
    this.drawn = this.drawn.subarray(4);
    return word;
  }
}

/** Returns the key source for a database's seeds. */
export const keySourceOf = ({ keyOrigin, vault }: { keyOrigin: KeyOrigin; vault: Vault }): KeySource =>
  keyOrigin === 'names' ? NAMES_KEY_SOURCE : fromInstallation(vault);
