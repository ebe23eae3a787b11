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

/** The body of an endpoint, with defaults optional. */
type BodyOf<D extends { body: z.ZodType }> = z.input<D['body']>;
type QueryIn<D extends { query: z.ZodType }> = z.input<D['query']>;

export interface Credentials {
  /** Access token. */
  token?: string;
}

export interface Snapshot {
  snapshotId: string;
  /** Restores the portal to its state at the time of the snapshot. */
  restore(): Promise<void>;
  /** Deletes the snapshot, unless it is already deleted. */
  drop(): Promise<void>;
}

/**
 * A portal under the control of a test. The same interface covers a portal in this process, a remote one and a space.
 * Every method sends one request to the lab, with the body or query of its contract endpoint. It rejects with
 * `PortalRefusal` (`status`, `resultCode`, `resultName`, `message`) if the portal refuses the request, or with
 * `PortalUnreachable`.
 */
export interface Portal extends AsyncDisposable {
  /** Origin, e.g. `http://localhost:43210`. */
  readonly url: string;
  /**
   * Path of the CA certificate, for programs that verify the portal's certificate. Set by `startPortal` with `TLS` or
   * `LDAPS_PORT`.
   */
  readonly ca: string | undefined;
  /** Calls any endpoint of the contract that responds with JSON. */
  call: TypedCall<[credentials?: Credentials]>;
  /** Opens any channel of the contract. @throws UpgradeRefused, PortalUnreachable */
  open<C extends ChannelDefinition>(channel: C, query: QueryOf<C>, credentials?: Credentials): Promise<LiveClient<C>>;
  /** Creates a person with a simulated phone. */
  person(wish: BodyOf<typeof makePerson>): Promise<ReplyOf<typeof makePerson>>;
  /** Lists all people with their status, with or without a simulated phone. */
  people(query?: QueryIn<typeof readPeople>): Promise<ReplyOf<typeof readPeople>>;
  /** Lists the simulated phones with their private keys, for `deviceOfVirtual` of `orchestrate/authenticator`. */
  devices(query?: QueryIn<typeof virtualDevices>): Promise<VirtualDevice[]>;
  /** Signs a person in. Resolves with tokens and with a browser's storage state. */
  session(wish: BodyOf<typeof makeSession>): Promise<ReplyOf<typeof makeSession>>;
  /** Creates a browser without a window for testing applications. It signs in when an application asks it to. */
  browser(options?: BrowserOptions): Browser;
  /** Makes matching phones answer requests automatically from now on. */
  policy(policy: BodyOf<typeof setPolicy>): Promise<void>;
  /** Returns the active policies, and the answers that phones have given. */
  policies(): Promise<ReplyOf<typeof readPolicies>>;
  /**
   * Stops all automatic answers. With a match, removes only the policy with exactly that match; with `everybody`, only
   * the policy whose match is empty.
   */
  clearPolicies(match?: QueryIn<typeof clearPolicies>): Promise<void>;
  /** Lists the requests that phones can answer, with codes and displayed numbers, newest first. */
  requests(): Promise<OpenRequest[]>;
  /** Approves a sign-in or other request on a phone now. Resolves with the portal's response to the phone. */
  approve(loginId: string, answer: BodyOf<typeof approveRequest>): Promise<ReplyOf<typeof approveRequest>['result']>;
  /** Denies a sign-in or other request on a phone now. Resolves with the portal's response to the phone. */
  deny(loginId: string, answer: BodyOf<typeof denyRequest>): Promise<ReplyOf<typeof denyRequest>['result']>;
  /** Makes the next matching requests fail. */
  fault(fault: BodyOf<typeof addFault>): Promise<void>;
  /** Lists the pending faults, and those that have fired. */
  faults(): Promise<ReplyOf<typeof readFaults>>;
  /** Removes all faults; with a match, only the fault with exactly that match. */
  clearFaults(match?: QueryIn<typeof clearFaults>): Promise<void>;
  /** Lists the magic addresses, which trigger a result when entered anywhere in a client. */
  magic(): Promise<ReplyOf<typeof readMagic>['values']>;
  /** Makes the next connection or message of a channel fail. */
  socketFault(fault: BodyOf<typeof addSocketFault>): Promise<void>;
  /** Lists the pending socket faults, and those that have fired. */
  socketFaults(): Promise<ReplyOf<typeof readSocketFaults>>;
  clearSocketFaults(): Promise<void>;
  /** Advances, freezes or unfreezes the clock. Without a setting, returns the current one. */
  clock(setting?: BodyOf<typeof setClock>): Promise<ReplyOf<typeof setClock>>;
  /**
   * Lists emails and text messages, newest first. With `wait`, waits for one and rejects on time-out.
   * @throws Skipped if more messages came after `after` than one response holds
   */
  outbox(query?: QueryIn<typeof readOutbox>): Promise<OutboxMessage[]>;
  emptyOutbox(): Promise<void>;
  /**
   * Lists journal entries, oldest first; the newest entries if `after` is omitted.
   * @throws Skipped if entries after `after` have been removed
   */
  journal(query?: QueryIn<typeof readJournal>): Promise<JournalEntry[]>;
  emptyJournal(): Promise<void>;
  /**
   * Checks how often a matching entry occurred.
   * @throws NotVerified with the closest entries if the number is different
   */
  verify(expected: BodyOf<typeof verifyJournal>): Promise<void>;
  /** Decodes and verifies a token or SAML response of this portal, and explains what is wrong with it. */
  inspect(wish: BodyOf<typeof inspectToken>): Promise<ReplyOf<typeof inspectToken>>;
  /** Sends the requests of a directory to your own SCIM service, and reports the result of each step. */
  provision(wish: BodyOf<typeof replayProvisioning>): Promise<ReplyOf<typeof replayProvisioning>>;
  /** Takes a snapshot of the whole state. */
  snapshot(wish?: BodyOf<typeof takeSnapshot>): Promise<Snapshot>;
  /** Lists the snapshots, oldest first. */
  snapshots(): Promise<ReplyOf<typeof listSnapshots>['snapshots']>;
  /** Starts a space on this portal's server, an isolated portal. Closing it ends the space. */
  space(wish?: BodyOf<typeof makeSpace>): Promise<Portal>;
  /** Lists the spaces of this portal, oldest first. */
  spaces(): Promise<Space[]>;
  /**
   * Exports the state as a world. Used as the `seed` of a reset, a space or another portal, it recreates that state.
   */
  world(): Promise<World>;
  /** Exports the state as a world in YAML, for a file in `SEED`. */
  worldFile(): Promise<string>;
  /** Returns the JSON Schema of a world, for editors. */
  worldSchema(): Promise<string>;
  /** Resets the portal to its initial state. */
  reset(wish?: BodyOf<typeof resetLab>): Promise<void>;
  /**
   * Stops the portal in this process, or ends the space, unless it has ended already. Leaves a remote portal running.
   */
  close(): Promise<void>;
}
