import { type ProvisioningCheck, SECOND } from '@orchestrate/shared';
import type { Deps } from '../../../deps.ts';
import { isObject } from '../json.ts';
import { askService, type Service, type ServiceAnswer } from './ask-service.ts';
import { detailOf, tooLarge, whyNoAnswer } from './sentences.ts';

const TIMEOUT_MS = 15 * SECOND;

/**
 * Asks a SCIM service what it can do (RFC 7644 §4), and for somebody whom it cannot have: nothing is written.
 * @param changesBy how changes will be written, which the service must support
 */
export async function tryService(
  { outsidePolicy, random }: Pick<Deps, 'outsidePolicy' | 'random'>,
  service: Service,
  changesBy: 'put' | 'patch',
): Promise<ProvisioningCheck[]> {
  const nobody = `nobody-${random.id()}@orchestrate.invalid`;
  const filter = encodeURIComponent(`userName eq "${nobody}"`);

  async function check(
    name: string,
    path: string,
    judge: (answer: ServiceAnswer) => Pick<ProvisioningCheck, 'ok' | 'message'>,
  ): Promise<ProvisioningCheck> {
    const answer = await askService(outsidePolicy, service, { method: 'GET', path, timeoutMs: TIMEOUT_MS });
    if ('reason' in answer) return { name, path, status: null, ok: false, message: whyNoAnswer(answer) };
    const { status } = answer;
    if (answer.isTooLarge) return { name, path, status, ok: false, message: tooLarge(status) };
    if (status === 200) return { name, path, status, ...judge(answer) };
    const why = status === 401 ? 'The service does not accept the credentials' : 'An answer with 200 was expected';
    return { name, path, status, ok: false, message: `${why}${detailOf(answer)}` };
  }

  return [
    await check('Asks what the service can do', '/ServiceProviderConfig', ({ body }) => {
      if (!isObject(body)) return { ok: false, message: 'The answer is not JSON' };
      const hasPatch = isObject(body.patch) && body.patch.supported === true;
      if (changesBy === 'put' || hasPatch) return { ok: true, message: 'It can do what is needed' };
      return { ok: false, message: 'It says that it does not support PATCH: write changes by PUT' };
    }),
    await check('Looks for somebody whom it cannot have', `/Users?filter=${filter}`, ({ body }) => {
      const total = isObject(body) ? body.totalResults : undefined;
      if (total === 0) return { ok: true, message: 'It finds nobody, as it should' };
      if (typeof total === 'number') return { ok: false, message: `It finds ${total}: it does not apply the filter` };
      return { ok: false, message: 'The answer is not a list of SCIM: totalResults is missing' };
    }),
  ];
}
