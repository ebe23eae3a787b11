import { type Db, type Vault, vaultOf } from '@orchestrate/db';
import { type ChannelDefinition, type EndpointDefinition, JOURNAL_MAX, type NoRadiusPort } from '@orchestrate/shared';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createClock, type LabClock } from './platform/adapters/clock.ts';
import type { Tls } from './platform/adapters/local-authority.ts';
import type { OutsidePolicy } from './platform/adapters/outside-address.ts';
import { createRandom, type Random } from './platform/adapters/random.ts';
import { type CurrentWorld, createCurrentWorld } from './platform/current-world.ts';
import { createHeldRequests, type HeldRequests } from './platform/held-requests.ts';
import type { CallerCache } from './platform/http/callers/caller.ts';
import { isLabClosed, isLocalPortal } from './platform/http/callers/local-portal.ts';
import { createTokens, type Tokens } from './platform/http/callers/tokens.ts';
import { createJournal, type Journal } from './platform/journal.ts';
import { type Bus, createBus, TOPIC } from './platform/live/bus.ts';
import {
  createDeliveryFaults,
  createDeliveryQueues,
  type DeliveryQueues,
  type OutboxFaults,
  type WebhookFaults,
} from './platform/live/delivery-faults.ts';
import { createSocketFaults, type SocketFaults } from './platform/live/socket-faults.ts';
import type { SnapshotState } from './platform/snapshot-state.ts';
import { createTampering, type Tampering } from './platform/tampering.ts';
import type { OidcProviders } from './protocols/oidc/provider/serving.ts';

/**
 * Dependencies shared by all features, created once per server. Repositories accept either `db` or a transaction on
 * it.
 */
export interface Deps {
  config: Config;
  /** Rules for requests to user-supplied addresses. */
  outsidePolicy: OutsidePolicy;
  /** The portal's origin for browsers. Known only after the server starts listening, so read it on each use. */
  publicUrl: string;
  /** The portal's origin for servers in another network. Null if they use `publicUrl`. */
  backchannelUrl: string | null;
  /** Ports of other protocols, set when the portal listens. Null for a protocol that is off. */
  ports: { radius: RadiusPorts | null; ldap: number | null; ldaps: number | null };
  /** Key and certificate for HTTPS; null if the portal serves HTTP. */
  tls: Tls | null;
  /**
   * Path of the CA certificate that HTTPS and LDAPS clients must trust, set when the portal listens. Null if neither
   * is on.
   */
  authorityFile: string | null;
  /** True for an in-memory portal that runs alongside another portal (`lab/spaces`). */
  isSpace: boolean;
  /** State that a reset restores instead of the seed. Set in spaces created from a snapshot. */
  initialState: SnapshotState | null;
  db: Db;
  world: CurrentWorld;
  /** Set by the lab. Features only read it. */
  clock: LabClock;
  random: Random;
  /**
   * Encrypts secrets that must be readable again. Repositories use it automatically for the columns listed in
   * `sealed-columns.ts` in the db package.
   */
  vault: Vault;
  bus: Bus;
  /** Recent traffic and events, for the lab. */
  journal: Journal;
  /** Changes that the lab makes to tokens and assertions to test how clients react. */
  tampering: Tampering;
  /** Returns true if one of the lab's phones is going to scan the code of this application sign-in. Set by the lab. */
  willScan: (signIn: { orgCode: string; loginHint: string }) => boolean;
  /** Returns true if the lab makes some requests fail. Set by the lab. */
  isFaulty: () => boolean;
  /** Faults that the lab injects into sockets. */
  socketFaults: SocketFaults;
  /** Faults that the lab injects into webhook deliveries. */
  webhookFaults: WebhookFaults;
  /** Faults that the lab injects into emails. */
  outboxFaults: OutboxFaults;
  /** Queues that deliver to other programs. */
  deliveryQueues: DeliveryQueues;
  /** Requests that lab faults delay or never answer. */
  heldRequests: HeldRequests;
  log: Logger;
  tokens: Tokens;
  /** Callers cached by session. */
  callers: CallerCache;
  /** Loads the organisations' OpenID providers. Set by the OpenID Connect routes. */
  oidcProviders: () => Promise<OidcProviders>;
  /** One-time code for the first administrator's sign-up. Printed at startup if required. */
  setupCode: string;
  /** All registered endpoints and channels. The permission matrix and the reference page are built from them. */
  registered: { endpoints: EndpointDefinition[]; channels: ChannelDefinition[] };
}

/** RADIUS UDP ports, one per organisation (decision 173). */
export interface RadiusPorts {
  /** Resolves when each current organisation has a port or can't get one. */
  settled(): Promise<void>;
  /** Returns an organisation's port, or the reason why it has none. */
  of(orgCode: string): number | Exclude<NoRadiusPort, 'off'>;
}

/** Maximum size of all requests and responses in the journal, in bytes. Twice the size of 2,000 ordinary entries. */
const JOURNAL_MAX_BYTES = 4_194_304;

export interface DepsOptions {
  config: Config;
  db: Db;
  log: Logger;
  /** Time to freeze the clock at, in milliseconds since the epoch. */
  frozenAt?: number;
  tls?: Tls | null;
  isSpace?: boolean;
}

/** Length in characters. 16 characters have 79 bits, which can't be guessed. */
const SETUP_CODE_LENGTH = 16;

/** Creates the dependencies of a server. Also creates the installation's session key if it doesn't exist yet. */
export function createDeps({ config, db, log, frozenAt, tls = null, isSpace = false }: DepsOptions): Deps {
  const random = createRandom();
  const clock = createClock((reason) => log.error(reason, 'a scheduled callback failed'), frozenAt);
  const bus = createBus((reason) => log.error(reason, 'a listener failed'));
  const onRecord = () => {
    if (bus.listeners(TOPIC.lab) > 0) bus.changed(TOPIC.journal);
    if (bus.listeners(TOPIC.entry) > 0) bus.changed(TOPIC.entry);
  };
  return {
    config,
    outsidePolicy: {
      allowsInside: config.allowPrivateNetworks || isLocalPortal(config),
      isLocal: isLocalPortal(config),
    },
    publicUrl: config.publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${config.port}`,
    backchannelUrl: config.backchannelUrl,
    ports: { radius: null, ldap: null, ldaps: null },
    tls,
    authorityFile: tls?.caFile ?? null,
    isSpace,
    initialState: null,
    db,
    world: createCurrentWorld(),
    clock,
    random,
    setupCode: random.typedCode(SETUP_CODE_LENGTH),
    vault: vaultOf(db),
    bus,
    journal: createJournal({
      // While the lab is closed, the journal can't be read, so nothing is recorded.
      isOn: config.lab && !isLabClosed(config),
      now: clock.now,
      onRecord,
      max: JOURNAL_MAX,
      maxBytes: JOURNAL_MAX_BYTES,
    }),
    tampering: createTampering(),
    willScan: () => false,
    isFaulty: () => false,
    socketFaults: createSocketFaults(clock.iso),
    webhookFaults: createDeliveryFaults(clock.iso),
    outboxFaults: createDeliveryFaults(clock.iso),
    deliveryQueues: createDeliveryQueues(),
    heldRequests: createHeldRequests(),
    log,
    tokens: createTokens(db, clock),
    callers: new WeakMap(),
    oidcProviders: () => Promise.reject(new Error('The OpenID Connect routes must be registered first.')),
    registered: { endpoints: [], channels: [] },
  };
}
