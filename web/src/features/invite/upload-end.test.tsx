import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { bulkInvite } from '@orchestrate/shared';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { formPart } from '#testing.ts';
import { UploadEnd } from './invite-result.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

test('shows the progress of an interrupted upload', { tags: 'whole' }, async () => {
  const upload = { id: 'broken', fileName: 'people.csv', startedAt: 0 };
  const { token } = await visitSignedIn(portal, 'super.admin@acme.test', '/dashboard', <UploadEnd upload={upload} />);
  const rows = Array.from({ length: 3_000 }, (_, index) => `new.person.${index}@acme.test,New,Person,N-${index}`);
  const fields = `${formPart('"type"', 'mobile')}${formPart('"sendEmail"', 'false')}${formPart('"uploadId"', 'broken')}`;
  // Cut off the request body in the middle of the file.
  const response = await fetch(`${portal.url}/api${bulkInvite.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: `${fields}${formPart('"file"; filename="people.csv"', rows.join('\n'))}`,
  });
  expect(response.status).toBe(400);
  const { rowsDone } = await response.json();
  const count = new Intl.NumberFormat('en').format(rowsDone);
  await screen.findByText(
    `${count} rows were read before the upload ended, and ${count} people were invited. Upload the same file again. This won't affect people already invited.`,
  );
});
