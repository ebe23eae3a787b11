import type {
  addFault,
  addSocketFault,
  approveRequest,
  ChannelDefinition,
  clearFaults,
  clearPolicies,
  denyRequest,
  inspectToken,
  JournalEntry,
  listSnapshots,
  makePerson,
  makeSession,
  makeSpace,
  OpenRequest,
  OutboxMessage,
  QueryOf,
  ReplyOf,
  readFaults,
  readJournal,
  readMagic,
  readOutbox,
  readPeople,
  readPolicies,
  readSocketFaults,
  replayProvisioning,
  resetLab,
  Space,
  setClock,
  setPolicy,
  TypedCall,
  takeSnapshot,
  VirtualDevice,
  verifyJournal,
  virtualDevices,
  World,
} from '@orchestrate/shared';
import type { z } from 'zod';
import type { Browser, BrowserOptions } from './browser.ts';
import type { LiveClient } from './live-client.ts';

/** What an entry's body may be, defaults left out. */
type BodyOf<D extends { body: z.ZodType }> = z.input<D['body']>;
type QueryIn<D extends { query: z.ZodType }> = z.input<D['query']>;

export interface Credentials {
  /** Access token. */
  token?: string;
}

export interface Snapshot {
  snapshotId: string;
  /** Everything as it was when the snapshot was taken. */
  restore(): Promise<void>;
  /** Forgets it, unless it is gone already. */
  drop(): Promise<void>;
}

/**
 * A portal that a test drives: the same object whether it runs in this process, in another one, or as a space. Every
 * method is one call of the lab with the body or query of its contract entry, and rejects with `PortalRefusal`
 * (`status`, `resultCode`, `resultName`, `message`) where the portal refuses, or with `PortalUnreachable`.
 */
export interface Portal extends AsyncDisposable {
  /** Origin, e.g. `http://localhost:43210`. */
  readonly url: string;
  /**
   * File of the authority that signed the certificate, for programs that verify it: after `startPortal` with `TLS` or
   * `LDAPS_PORT`.
   */
  readonly ca: string | undefined;
  /** Any endpoint of the contract whose answer is JSON. */
  call: TypedCall<[credentials?: Credentials]>;
  /** Any channel of the contract. @throws UpgradeRefused, PortalUnreachable */
  open<C extends ChannelDefinition>(channel: C, query: QueryOf<C>, credentials?: Credentials): Promise<LiveClient<C>>;
  /** Makes a person with a phone. */
  person(wish: BodyOf<typeof makePerson>): Promise<ReplyOf<typeof makePerson>>;
  /** Everybody with their status, whether or not they have a simulated phone. */
  people(query?: QueryIn<typeof readPeople>): Promise<ReplyOf<typeof readPeople>>;
  /** The simulated phones with their private keys, for `deviceOfVirtual` of `orchestrate/authenticator`. */
  devices(query?: QueryIn<typeof virtualDevices>): Promise<VirtualDevice[]>;
  /** Signs a person in: tokens, and a browser's storage. */
  session(wish: BodyOf<typeof makeSession>): Promise<ReplyOf<typeof makeSession>>;
  /** A browser without a window, which signs in where an application asks for it; for tests of applications. */
  browser(options?: BrowserOptions): Browser;
  /** What phones do by themselves from now on. */
  policy(policy: BodyOf<typeof setPolicy>): Promise<void>;
  /** What phones do by themselves, and what they have done. */
  policies(): Promise<ReplyOf<typeof readPolicies>>;
  /**
   * No phone answers by itself any more; with a match only that policy is forgotten, with `everybody` the one whose
   * match is empty.
   */
  clearPolicies(match?: QueryIn<typeof clearPolicies>): Promise<void>;
  /** What waits for a phone, with its codes and the number that the browser shows; newest first. */
  requests(): Promise<OpenRequest[]>;
  /** A phone approves a sign-in or request now. Resolves with what the portal said to the phone. */
  approve(loginId: string, answer: BodyOf<typeof approveRequest>): Promise<ReplyOf<typeof approveRequest>['result']>;
  /** A phone denies a sign-in or request now. */
  deny(loginId: string, answer: BodyOf<typeof denyRequest>): Promise<ReplyOf<typeof denyRequest>['result']>;
  /** The next requests of an address fail. */
  fault(fault: BodyOf<typeof addFault>): Promise<void>;
  /** The waiting faults, and those that have fired. */
  faults(): Promise<ReplyOf<typeof readFaults>>;
  /** Forgets all faults; with a match only that one. */
  clearFaults(match?: QueryIn<typeof clearFaults>): Promise<void>;
  /** The addresses that, typed anywhere in a client, make its call meet a result. */
  magic(): Promise<ReplyOf<typeof readMagic>['values']>;
  /** The next connection or message of a channel fails. */
  socketFault(fault: BodyOf<typeof addSocketFault>): Promise<void>;
  /** The waiting socket faults, and those that have fired. */
  socketFaults(): Promise<ReplyOf<typeof readSocketFaults>>;
  clearSocketFaults(): Promise<void>;
  /** Advances, freezes or releases the clock; without a setting, reads it. */
  clock(setting?: BodyOf<typeof setClock>): Promise<ReplyOf<typeof setClock>>;
  /**
   * Mails and text messages, newest first. With `wait`, rejects where none comes in time.
   * @throws Skipped where more came after `after` than one answer holds
   */
  outbox(query?: QueryIn<typeof readOutbox>): Promise<OutboxMessage[]>;
  emptyOutbox(): Promise<void>;
  /**
   * What happened, oldest first; without `after` the newest.
   * @throws Skipped where something that came after `after` is forgotten
   */
  journal(query?: QueryIn<typeof readJournal>): Promise<JournalEntry[]>;
  emptyJournal(): Promise<void>;
  /** @throws NotVerified where it did not happen as often as expected, naming what came nearest */
  verify(expected: BodyOf<typeof verifyJournal>): Promise<void>;
  /** Decodes and verifies a token or SAML response of this portal, and says what is wrong with it. */
  inspect(wish: BodyOf<typeof inspectToken>): Promise<ReplyOf<typeof inspectToken>>;
  /** Sends a SCIM service of yours what a directory sends, and says step by step what came back. */
  provision(wish: BodyOf<typeof replayProvisioning>): Promise<ReplyOf<typeof replayProvisioning>>;
  /** Keeps everything as it is now. */
  snapshot(wish?: BodyOf<typeof takeSnapshot>): Promise<Snapshot>;
  /** The snapshots that can be restored, oldest first. */
  snapshots(): Promise<ReplyOf<typeof listSnapshots>['snapshots']>;
  /** Starts a space beside this portal; closing it ends the space. */
  space(wish?: BodyOf<typeof makeSpace>): Promise<Portal>;
  /** The spaces beside this portal, oldest first. */
  spaces(): Promise<Space[]>;
  /** Everything as a world: as the `seed` of a reset, a space or another portal it gives the same again. */
  world(): Promise<World>;
  /** The same as YAML, for `SEED`. */
  worldFile(): Promise<string>;
  /** The JSON Schema of a world, for editors. */
  worldSchema(): Promise<string>;
  /** Back to the state right after start. */
  reset(wish?: BodyOf<typeof resetLab>): Promise<void>;
  /** Ends what this object has started, unless it has ended already: the portal in this process, or the space. */
  close(): Promise<void>;
}
