import { logoRepo } from '@orchestrate/db';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { fieldsOf } from '../../platform/http/callers/permissions.ts';
import { Refusal } from '../../platform/refusal.ts';

/** An SVG is also a document: opened by itself it may use the styles, pictures and fonts in it, and nothing else. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Public pictures: applications and mails may show them.
  'cross-origin-resource-policy': 'cross-origin',
};

const A_YEAR = 'public, max-age=31536000, immutable';

type Picture = Pick<logoRepo.LogoRow, 'contentType' | 'bytes' | 'etag'>;

/** Logos, for everybody. The page hides one that fails to load (spec 1 §2), so a missing logo is 404. */
export function serveLogo(app: FastifyInstance, { db }: Deps): void {
  app.get('/logos/:orgCode', (request, reply) => {
    const { orgCode } = fieldsOf(request.params);
    return send(request, reply, logoRepo.findLogo(db, String(orgCode).toLowerCase()));
  });
  app.get('/logos/:orgCode/:appId', (request, reply) => {
    const { orgCode, appId } = fieldsOf(request.params);
    return send(request, reply, logoRepo.findAppLogo(db, String(orgCode).toLowerCase(), String(appId)));
  });
}

function send(request: FastifyRequest, reply: FastifyReply, logo: Picture | undefined): FastifyReply {
  if (!logo) throw new Refusal('ID_DOESNOT_EXIST', { message: 'There is no logo here.' });
  const etag = `"${logo.etag}"`;
  const isNamed = fieldsOf(request.query).v === logo.etag;
  reply.headers({ ...HEADERS, etag, 'cache-control': isNamed ? A_YEAR : 'no-cache' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type(logo.contentType).send(logo.bytes);
}
