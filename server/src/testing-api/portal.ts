import type {
  addFault,
  addOutboxFault,
  addSocketFault,
  addWebhookFault,
  approveRequest,
  awaitEntry,
  awaitSettled,
  ChannelDefinition,
  clearFaults,
  clearPolicies,
  denyRequest,
  emptyOutbox,
  forgeDelivery,
  inspectToken,
  issueTokens,
  JournalEntry,
  listSnapshots,
  makeApplication,
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
  readOutboxFaults,
  readPeople,
  readPolicies,
  readSocketFaults,
  readUnused,
  readWebhookFaults,
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

/** An endpoint's request body, in which fields with defaults are optional. */
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
 * A portal controlled by a test. The interface is the same for a portal in this process, a remote portal and a space.
 * Each lab method sends a single request, with the body or query of its contract endpoint. If the portal refuses the
 * request, the method rejects with `PortalRefusal`: its `message` names the call and the fields, and its `sentence` is
 * the portal's own text. If there is no response, the method rejects with `PortalUnreachable`.
 */
export interface Portal extends AsyncDisposable {
  /** Origin of the portal, e.g. `http://localhost:43210`. */
  readonly url: string;
  /**
   * Path of the CA certificate, for programs that verify the portal's certificate. Set by `startPortal` if `TLS` or
   * `LDAPS_PORT` is used.
   */
  readonly ca: string | undefined;
  /** Calls any contract endpoint that responds with JSON. */
  call: TypedCall<[credentials?: Credentials]>;
  /** Opens any contract channel. @throws UpgradeRefused, PortalUnreachable */
  open<C extends ChannelDefinition>(channel: C, query: QueryOf<C>, credentials?: Credentials): Promise<LiveClient<C>>;
  /** Creates a person with a simulated phone. If a member has this email address, changes the member's other fields. */
  person(options: BodyOf<typeof makePerson>): Promise<ReplyOf<typeof makePerson>>;
  /**
   * Creates an application with the fields of a world's application, or changes these fields of the application with
   * this ID or name. Returns what a client needs to use it, such as its secret.
   */
  application(options: BodyOf<typeof makeApplication>): Promise<ReplyOf<typeof makeApplication>>;
  /** Lists all people with their account status, including people without a simulated phone. */
  people(query?: QueryIn<typeof readPeople>): Promise<ReplyOf<typeof readPeople>>;
  /** Lists the simulated phones with their private keys, for `deviceOfVirtual` of `orchestrate/authenticator`. */
  devices(query?: QueryIn<typeof virtualDevices>): Promise<VirtualDevice[]>;
  /** Signs a person in. Resolves with tokens and a browser's storage state. */
  session(options: BodyOf<typeof makeSession>): Promise<ReplyOf<typeof makeSession>>;
  /** Creates a browser without a window, for testing applications. It signs in when an application asks for it. */
  browser(options?: BrowserOptions): Browser;
  /** Makes matching phones answer requests automatically from now on. */
  policy(policy: BodyOf<typeof setPolicy>): Promise<void>;
  /** Returns the active policies and the responses that phones sent because of them. */
  policies(): Promise<ReplyOf<typeof readPolicies>>;
  /**
   * Removes all policies. With a match, removes only the policy with exactly that match. With `everybody`,
   * removes only the policy whose match is empty.
   */
  clearPolicies(match?: QueryIn<typeof clearPolicies>): Promise<void>;
  /** Lists requests that phones can answer, newest first, with their codes and displayed numbers. */
  requests(): Promise<OpenRequest[]>;
  /** Approves a sign-in or other request on a phone immediately. Resolves with the portal's response to the phone. */
  approve(loginId: string, answer: BodyOf<typeof approveRequest>): Promise<ReplyOf<typeof approveRequest>['result']>;
  /** Denies a sign-in or other request on a phone immediately. Resolves with the portal's response to the phone. */
  deny(loginId: string, answer: BodyOf<typeof denyRequest>): Promise<ReplyOf<typeof denyRequest>['result']>;
  /** Makes the next matching requests fail. */
  fault(fault: BodyOf<typeof addFault>): Promise<void>;
  /** Lists pending faults and faults that have fired. */
  faults(): Promise<ReplyOf<typeof readFaults>>;
  /** Removes all faults. With a match, removes only the fault with exactly that match. */
  clearFaults(match?: QueryIn<typeof clearFaults>): Promise<void>;
  /** Lists the magic addresses. Entering one anywhere in a client triggers a specific result. */
  magic(): Promise<ReplyOf<typeof readMagic>['values']>;
  /** Makes a channel's next connection or message fail. */
  socketFault(fault: BodyOf<typeof addSocketFault>): Promise<void>;
  /** Lists pending socket faults and socket faults that have fired. */
  socketFaults(): Promise<ReplyOf<typeof readSocketFaults>>;
  clearSocketFaults(): Promise<void>;
  /** Lists the faults and policies that have not fired since they were set. */
  unused(): Promise<ReplyOf<typeof readUnused>>;
  /** Advances, freezes or unfreezes the clock. Without a setting, returns the current clock. */
  clock(setting?: BodyOf<typeof setClock>): Promise<ReplyOf<typeof setClock>>;
  /**
   * Lists emails and text messages, newest first. With `wait`, waits for a message and rejects on timeout.
   * @throws Skipped if more messages arrived after `after` than fit into one response
   */
  outbox(query?: QueryIn<typeof readOutbox>): Promise<OutboxMessage[]>;
  /** Empties the outbox or, with `to`, deletes one recipient's messages. Resolves with their number. */
  emptyOutbox(query?: QueryIn<typeof emptyOutbox>): Promise<number>;
  /** Makes the mail server refuse the next emails: 451 is temporary, 550 is permanent. */
  outboxFault(fault: BodyOf<typeof addOutboxFault>): Promise<void>;
  /** Lists pending outbox faults and outbox faults that have fired. */
  outboxFaults(): Promise<ReplyOf<typeof readOutboxFaults>>;
  clearOutboxFaults(): Promise<void>;
  /** Drops, delays, duplicates, reorders or wrongly signs the next deliveries to webhooks. */
  webhookFault(fault: BodyOf<typeof addWebhookFault>): Promise<void>;
  /** Lists pending webhook faults and webhook faults that have fired. */
  webhookFaults(): Promise<ReplyOf<typeof readWebhookFaults>>;
  clearWebhookFaults(): Promise<void>;
  /** Sends an event that never happened to a webhook. Resolves with the delivery and the response. */
  forge(webhookId: string, event: BodyOf<typeof forgeDelivery>): Promise<ReplyOf<typeof forgeDelivery>['delivery']>;
  /**
   * Waits until no webhook delivery, email, outbound provisioning or logout notice is due or being sent. Resolves with
   * the times of scheduled retries, or rejects after `wait` seconds of real time (default: 10).
   */
  settled(query?: QueryIn<typeof awaitSettled>): Promise<ReplyOf<typeof awaitSettled>>;
  /**
   * Lists journal entries, oldest first. If `after` is omitted, returns only the newest entries.
   * @throws Skipped if entries after `after` have been removed
   */
  journal(query?: QueryIn<typeof readJournal>): Promise<JournalEntry[]>;
  emptyJournal(): Promise<void>;
  /**
   * Checks how often a matching entry occurred.
   * @throws NotVerified with the closest entries if the count is different
   */
  verify(expected: BodyOf<typeof verifyJournal>): Promise<void>;
  /** Issues an application's tokens without a sign-in. Options set claims, lifetime or a single flaw. */
  tokens(options: BodyOf<typeof issueTokens>): Promise<ReplyOf<typeof issueTokens>>;
  /**
   * Waits for a matching entry, for at most `wait` seconds of real time (default: 5). Resolves immediately if there is
   * one already; `after` limits the search to later entries.
   * @throws NotVerified with the closest entries if none matched in time
   */
  waitFor(expected: BodyOf<typeof awaitEntry>): Promise<JournalEntry>;
  /** Decodes and verifies a token or SAML response from this portal, and explains any problems. */
  inspect(options: BodyOf<typeof inspectToken>): Promise<ReplyOf<typeof inspectToken>>;
  /** Sends a directory's requests to your own SCIM service and reports the result of each step. */
  provision(options: BodyOf<typeof replayProvisioning>): Promise<ReplyOf<typeof replayProvisioning>>;
  /** Takes a snapshot of the portal's entire state. */
  snapshot(options?: BodyOf<typeof takeSnapshot>): Promise<Snapshot>;
  /** Lists the snapshots, oldest first. */
  snapshots(): Promise<ReplyOf<typeof listSnapshots>['snapshots']>;
  /** Starts a space, which is an isolated portal on the same server. Closing the returned portal ends the space. */
  space(options?: BodyOf<typeof makeSpace>): Promise<Portal>;
  /** Lists the spaces of this portal, oldest first. */
  spaces(): Promise<Space[]>;
  /**
   * Exports the state as a world. Pass it as the `seed` of a reset, a space or another portal to recreate the state.
   */
  world(): Promise<World>;
  /** Exports the state as a YAML world, for a file used as `SEED`. */
  worldFile(): Promise<string>;
  /** Returns the JSON Schema for worlds, for use in editors. */
  worldSchema(): Promise<string>;
  /** Resets the portal to its initial state. */
  reset(options?: BodyOf<typeof resetLab>): Promise<void>;
  /** Stops a portal in this process or ends a space, unless it has already ended. Leaves a remote portal running. */
  close(): Promise<void>;
}
