import { organisationRepo, radiusLdapClientRepo } from '@orchestrate/db';
import type { FastifyInstance } from 'fastify';
import { isWeakSecret } from '#core/weak-secret.ts';
import type { Deps } from '#deps.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { PortUnusable } from '#platform/port-unusable.ts';
import { type OrganisationSocket, openOrganisationSocket } from './organisation-socket.ts';

/** An organisation's socket and its configured port. */
interface Opened {
  wanted: number;
  /** The open socket, or undefined if another program uses the port. */
  socket: OrganisationSocket | undefined;
}

/**
 * Serves RADIUS over UDP on one port per organisation (decision 173).
 * @param range the first and last port; 0 for any free ports
 * @throws PortUnusable when the portal starts
 */
export function radius(app: FastifyInstance, deps: Deps, [first, last]: readonly [number, number]): void {
  const { db, bus, log } = deps;
  const opened = new Map<string, Opened>();
  let turn = Promise.resolve();
  let isClosing = false;
  let stopListening = () => {};

  /** Returns the port for an organisation's permanent number, or undefined if it is outside the range. */
  function wantedPort(orgCode: string): number | undefined {
    const organisation = organisationRepo.findOrganisation(db, orgCode);
    if (!organisation || isClosing) return undefined;
    if (first === 0) return 0;
    const port = first + organisation.number - 1;
    return port > last ? undefined : port;
  }

  /** Closes the sockets of deleted organisations, then opens sockets for new organisations. */
  async function openAndClose(onProblem: (reason: unknown) => void): Promise<void> {
    for (const [orgCode, { wanted, socket }] of [...opened]) {
      if (socket && wantedPort(orgCode) === wanted) continue;
      opened.delete(orgCode);
      await socket?.close();
    }
    for (const orgCode of organisationRepo.listOrgCodes(db)) {
      const wanted = wantedPort(orgCode);
      if (wanted === undefined || opened.has(orgCode)) continue;
      const socket = await openOrganisationSocket(deps, orgCode, wanted).catch(onProblem);
      opened.set(orgCode, { wanted, socket: socket ?? undefined });
    }
  }

  /** Updates the sockets while the portal is running. If a port can't be opened, other organisations keep theirs. */
  const onChange = () => {
    turn = turn
      .then(() =>
        openAndClose((reason) => {
          log.error(reason instanceof PortUnusable ? reason.message : reason, 'a RADIUS port could not be opened');
        }),
      )
      .catch((reason: unknown) => log.error(reason, 'the RADIUS ports could not be changed'));
  };

  app.addHook('onReady', async () => {
    await openAndClose((reason) => {
      throw reason;
    });
    warnOfWeakSecrets(deps);
    deps.ports.radius = {
      settled: () => turn,
      of: (orgCode) => {
        const at = opened.get(orgCode);
        return at ? (at.socket?.port ?? 'in-use') : 'range-too-small';
      },
    };
    stopListening = bus.listen([TOPIC.reset, TOPIC.organisations], onChange);
  });

  app.addHook('preClose', async () => {
    stopListening();
    isClosing = true;
    onChange();
    await turn;
  });
}

function warnOfWeakSecrets({ db, config, log }: Deps): void {
  if (isLocalPortal(config)) return;
  for (const orgCode of organisationRepo.listOrgCodes(db)) {
    for (const { appId, secret } of radiusLdapClientRepo.listRadiusClients(db, orgCode)) {
      if (!isWeakSecret(secret)) continue;
      log.warn(
        { orgCode, appId },
        'RADIUS requests from this application are ignored: others can reach the portal, and the shared secret is easy to guess. Regenerate the secret in the application editor',
      );
    }
  }
}
