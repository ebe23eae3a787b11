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
import { createSocketFaults, type SocketFaults } from './platform/live/socket-faults.ts';
import type { SnapshotState } from './platform/snapshot-state.ts';
import { createTampering, type Tampering } from './platform/tampering.ts';
import type { OidcProviders } from './protocols/oidc/provider/serving.ts';

/** The dependencies of features, created once per server. Repositories accept `db` or a transaction on it. */
export interface Deps {
  config: Config;
  /** Rules for requests to user-supplied addresses. */
  outsidePolicy: OutsidePolicy;
  /**
   * Origin for browsers. Known only after the server listens, so read it on each use.
   */
  publicUrl: string;
  /** Origin for servers in another network; null if they use `publicUrl`. */
  backchannelUrl: string | null;
  /** Ports of other protocols, once the portal listens; null for a protocol that is off. */
  ports: { radius: RadiusPorts | null; ldap: number | null; ldaps: number | null };
  /** Key and certificate for HTTPS; null if the portal serves HTTP. */
  tls: Tls | null;
  /**
   * File of the CA that clients of HTTPS or LDAPS must trust, once the portal listens; null without both.
   */
  authorityFile: string | null;
  /** True for a portal in memory next to another one (`lab/spaces`). */
  isSpace: boolean;
  /** State that a reset restores instead of the seed, in a space created from a snapshot. */
  initialState: SnapshotState | null;
  db: Db;
  world: CurrentWorld;
  /** Features only read it; the lab sets it. */
  clock: LabClock;
  random: Random;
  /**
   * Encrypts secrets that must be readable again. Repositories use it automatically for the columns in `sealed-columns.ts`
   * of db.
   */
  vault: Vault;
  bus: Bus;
  /** Recent traffic and events, for the lab. */
  journal: Journal;
  /** The lab's tampering with tokens and assertions. */
  tampering: Tampering;
  /** Faults that the lab injects into sockets. */
  socketFaults: SocketFaults;
  /** Requests that lab faults delay or never answer. */
  heldRequests: HeldRequests;
  log: Logger;
  tokens: Tokens;
  /** Cache of callers by session. */
  callers: CallerCache;
  /** Loads the OpenID providers of the organisations. Set by their routes. */
  oidcProviders: () => Promise<OidcProviders>;
  /** One-time code with which the first administrator signs up; printed at the start if needed. */
  setupCode: string;
  /** Registered endpoints and channels, for the permission matrix and the reference page. */
  registered: { endpoints: EndpointDefinition[]; channels: ChannelDefinition[] };
}

/** The UDP ports of RADIUS, one per organisation (decision 173). */
export interface RadiusPorts {
  /** Resolves when all current organisations have a port or can't have one. */
  settled(): Promise<void>;
  /** Returns the port of an organisation, or why it has none. */
  of(orgCode: string): number | Exclude<NoRadiusPort, 'off'>;
}

/** Maximum size of requests and responses in the journal, in bytes: twice the size of 2,000 ordinary ones. */
const JOURNAL_MAX_BYTES = 4_194_304;

export interface DepsOptions {
  config: Config;
  db: Db;
  log: Logger;
  /** Time at which the clock is frozen, in milliseconds since the epoch. */
  frozenAt?: number;
  tls?: Tls | null;
  isSpace?: boolean;
}

/** 79 bits, so that it can't be guessed. */
const SETUP_CODE_LENGTH = 16;

/** Creates the dependencies of one server, and the installation's session key if there is none yet. */
export function createDeps({ config, db, log, frozenAt, tls = null, isSpace = false }: DepsOptions): Deps {
  const random = createRandom();
  const clock = createClock((reason) => log.error(reason, 'a scheduled callback failed'), frozenAt);
  const bus = createBus((reason) => log.error(reason, 'a listener failed'));
  const onRecord = () => {
    if (bus.listeners(TOPIC.lab) > 0) bus.changed(TOPIC.journal);
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
      // No one can read it while the lab is closed.
      isOn: config.lab && !isLabClosed(config),
      now: clock.now,
      onRecord,
      max: JOURNAL_MAX,
      maxBytes: JOURNAL_MAX_BYTES,
    }),
    tampering: createTampering(),
    socketFaults: createSocketFaults(clock.iso),
    heldRequests: createHeldRequests(),
    log,
    tokens: createTokens(db, clock),
    callers: new WeakMap(),
    oidcProviders: () => Promise.reject(new Error('Expected the OpenID Connect routes to be registered.')),
    registered: { endpoints: [], channels: [] },
  };
}
