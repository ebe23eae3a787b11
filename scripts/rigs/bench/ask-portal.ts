import type { EndpointDefinition, ReplyOf } from '@orchestrate/shared';

/** One call of a portal's API; refusals are not looked for. */
export async function askPortal<const D extends EndpointDefinition>(
  url: string,
  { method }: D,
  path: string,
  { body, token, cookie }: { body?: object; token?: string; cookie?: string } = {},
): Promise<ReplyOf<D>> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: ReplyOf<D> = JSON.parse(await response.text());
  return answer;
}
