import { hash } from 'node:crypto';
import type { Vault } from '../vault.ts';
import { Prng } from './prng.ts';

/**
 * Source that the keys, secrets and codes of a seed are derived from:
 * - `names`: from public names alone, so that every portal has the same ones, and anyone can compute them;
 * - `installation`: from public names and the key that seals this database, so that no one else can compute them.
 */
export type KeyOrigin = 'names' | 'installation';

/** Derives values that grant access. Ids, which grant nothing, are drawn from names alone. */
export interface KeySource {
  origin: KeyOrigin;
  /** Returns 32 bytes for a name. */
  bytes(name: string): Buffer;
  /** Returns repeatable randomness for a name. */
  prng(name: string): Prng;
}

/** For portals that only this machine can reach (decision 205). */
export const FROM_NAMES: KeySource = {
  origin: 'names',
  bytes: (name) => hash('sha256', name, 'buffer'),
  prng: (name) => new Prng(name),
};

const fromInstallation = (vault: Vault): KeySource => ({
  origin: 'installation',
  bytes: (name) => vault.draw(name),
  prng: (name) => new InstallationPrng(vault, name),
});

/** The generator behind `Prng` is not meant for secrets, so its words come from the vault instead. */
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

/** Returns the key source for the seeds of a database. */
export const keySourceOf = ({ keyOrigin, vault }: { keyOrigin: KeyOrigin; vault: Vault }): KeySource =>
  keyOrigin === 'names' ? FROM_NAMES : fromInstallation(vault);
