import { organisationRepo, radiusLdapClientRepo } from '@orchestrate/db';
import type { FastifyInstance } from 'fastify';
import { isWeakSecret } from '#core/weak-secret.ts';
import type { Deps } from '#deps.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { PortUnusable } from '#platform/port-unusable.ts';
import { type OrganisationSocket, openOrganisationSocket } from './organisation-socket.ts';

/** An organisation's socket, and its configured port. */
interface Opened {
  wanted: number;
  /** Undefined if another program uses the port. */
  socket: OrganisationSocket | undefined;
}

/**
 * Serves RADIUS over UDP, with a port for each organisation (decision 173).
 * @param range the first and the last port; 0 for free ones
 * @throws PortUnusable when the portal starts
 */
export function radius(app: FastifyInstance, deps: Deps, [first, last]: readonly [number, number]): void {
  const { db, bus, log } = deps;
  const opened = new Map<string, Opened>();
  let turn = Promise.resolve();
  let isClosing = false;
  let stopListening = () => {};

  /** Returns the port for the permanent number of an organisation; undefined beyond the range. */
  function wantedPort(orgCode: string): number | undefined {
    const organisation = organisationRepo.findOrganisation(db, orgCode);
    if (!organisation || isClosing) return undefined;
    if (first === 0) return 0;
    const port = first + organisation.number - 1;
    return port > last ? undefined : port;
  }

  /** Closes the sockets of deleted organisations, then opens those of new ones. */
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

  /** While the portal runs, other organisations keep their ports if one can't be opened. */
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
        'RADIUS doesn’t answer this application: others can reach the portal, and its shared secret is easy to guess. Regenerate the secret in the editor of the application',
      );
    }
  }
}
