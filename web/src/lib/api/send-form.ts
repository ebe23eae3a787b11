/** Uploads a form with XMLHttpRequest, because fetch doesn't report upload progress. */
export function sendForm(
  address: string,
  { method = 'POST', headers, body, signal }: Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>,
  onProgress: () => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = onProgress;
    request.upload.onload = onProgress;
    request.onprogress = onProgress;
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => reject(new TypeError('The request failed.'));
    request.onabort = () => reject(signal?.reason);
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener('abort', () => request.abort());
    request.send(body instanceof FormData ? body : null);
  });
}

function answerOf(request: XMLHttpRequest): Response {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/);
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()];
  });
  return new Response(request.responseText || null, { status: request.status, headers });
}
