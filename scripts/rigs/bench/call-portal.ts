import type { EndpointDefinition, ReplyOf } from '@orchestrate/shared';

/** Calls an endpoint of a portal's API. Returns the response body without checking for errors. */
export async function callPortal<const D extends EndpointDefinition>(
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
