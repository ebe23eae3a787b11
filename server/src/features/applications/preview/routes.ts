import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { requirePermission } from '#platform/http/callers/permissions.ts';
import { implement } from '#platform/http/implement.ts';

/** Registers the endpoint for previewing what applications receive about members. */
export function appPreview(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.previewApp, async ({ caller, params: { appId }, query: { suid = caller.suid } }) => {
    if (suid !== caller.suid) requirePermission(caller, 'SEARCH_USER');
    // Protocols are loaded on first use (decision 018).
    const { previewOf } = await import('./preview-of.ts');
    return previewOf(deps, { orgCode: caller.orgCode, appId, suid });
  });

  implement(
    app,
    deps,
    contract.previewAppDraft,
    async ({ caller, params: { appId }, body: { suid = caller.suid, ...draft } }) => {
      if (suid !== caller.suid) requirePermission(caller, 'SEARCH_USER');
      const { previewOf } = await import('./preview-of.ts');
      return previewOf(deps, { orgCode: caller.orgCode, appId, suid, draft });
    },
  );
}
