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

/** Everything a feature may need, made once per server. Repositories take `db`, or a transaction on it. */
export interface Deps {
  config: Config;
  /** Where requests to addresses that people have entered can go. */
  outsidePolicy: OutsidePolicy;
  /**
   * Origin under which people reach the portal. Known once the server listens: read it on each use, do not keep a copy.
   */
  publicUrl: string;
  /** The same for servers, which may be in another network than people; null where they use `publicUrl`. */
  backchannelUrl: string | null;
  /** Ports in addition to that of HTTP, once the portal listens there; null for a protocol that is off. */
  ports: { radius: RadiusPorts | null; ldap: number | null; ldaps: number | null };
  /** The key and certificate with which the portal serves HTTPS; null where it serves HTTP. */
  tls: Tls | null;
  /**
   * The file with the authority that clients of HTTPS or LDAPS must trust, once the portal listens; null where there is
   * neither.
   */
  authorityFile: string | null;
  /** A portal in memory beside another one (`lab/spaces`). */
  isSpace: boolean;
  /** What a reset returns to instead of the seed, in a space that began from a snapshot. */
  initialState: SnapshotState | null;
  db: Db;
  world: CurrentWorld;
  /** Features only read it; the lab sets it. */
  clock: LabClock;
  random: Random;
  /**
   * Seals what must be readable again. Repositories use it automatically for the columns in `sealed-columns.ts` of db.
   */
  vault: Vault;
  bus: Bus;
  /** What has happened lately, for the lab. */
  journal: Journal;
  /** What the lab damages of tokens and assertions. */
  tampering: Tampering;
  /** The failures that the lab injects into sockets. */
  socketFaults: SocketFaults;
  /** The requests that faults of the lab hold. */
  heldRequests: HeldRequests;
  log: Logger;
  tokens: Tokens;
  /** The callers of sessions that were read before. */
  callers: CallerCache;
  /** Loads the OpenID providers of the organisations. Set by their routes. */
  oidcProviders: () => Promise<OidcProviders>;
  /** Lets the first administrator in, once: the start prints it where it is needed. */
  setupCode: string;
  /** What has been registered; the permission matrix and the reference page are made from it. */
  registered: { endpoints: EndpointDefinition[]; channels: ChannelDefinition[] };
}

/** The UDP ports of RADIUS: each organisation has its own (decision 173). */
export interface RadiusPorts {
  /** Resolves when every organisation that exists now has its port, or can't have one. */
  settled(): Promise<void>;
  /** The port at which the portal listens for an organisation, or why there is none. */
  of(orgCode: string): number | Exclude<NoRadiusPort, 'off'>;
}

/** Bytes of requests and answers that the journal keeps: twice the size of 2 000 ordinary ones. */
const JOURNAL_MAX_BYTES = 4_194_304;

export interface DepsOptions {
  config: Config;
  db: Db;
  log: Logger;
  /** Stops the clock at this time, in milliseconds since the epoch. */
  frozenAt?: number;
  tls?: Tls | null;
  isSpace?: boolean;
}

/** 79 bits: nobody tries them all. */
const SETUP_CODE_LENGTH = 16;

/** The parts of one server. Creates the installation's session key if there is none yet. */
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
