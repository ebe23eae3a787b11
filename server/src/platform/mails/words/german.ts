import type { PortalWords } from './portal-words.ts';

export const GERMAN: PortalWords = {
  texts: {
    'activation-code': {
      subject: 'Ihr Aktivierungscode für ${organisation}',
      body: `Das ist Ihr Aktivierungscode für die Authenticator-App (\${type}):

\${code}

Geben Sie ihn in der App zusammen mit Ihrer E-Mail-Adresse und dem Organisationscode „\${orgCode}“ ein. Er kann einmal verwendet werden, bis zum \${expiresAt}.

> Wir werden Sie nie nach diesem Code fragen. Wenn Sie ihn nicht erwartet haben, können Sie diese E-Mail ignorieren.`,
    },

    invitation: {
      subject: 'Einladung zu ${organisation}',
      body: `Sie wurden eingeladen, sich bei \${organisation} ohne Passwort anzumelden, mit der Authenticator-App auf Ihrem \${device}.

[Konto aktivieren](\${link})

Nach dem Öffnen des Links erhalten Sie eine zweite E-Mail mit dem Code, der die App aktiviert.

> Der Link kann einmal verwendet werden, vom \${validFrom} bis zum \${expiresAt}. Wenn Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren.`,
    },

    'new-device': {
      subject: 'Neues Gerät: ${deviceName}',
      body: `Das Gerät „\${deviceName}“ wurde Ihrem Konto bei \${organisation} am \${at} hinzugefügt. Es kann jetzt Ihre Anmeldungen bestätigen.

Wenn Sie das nicht waren, melden Sie sich an und melden Sie das Gerät sofort als verloren, oder wenden Sie sich an Ihren Administrator.

[Anmelden](\${link})`,
    },

    'device-lost': {
      subject: 'Gerät als verloren gemeldet: ${deviceName}',
      body: `Das Gerät „\${deviceName}“ wurde am \${at} als verloren gemeldet. Es kann keine Anmeldungen mehr bestätigen, und alle damit bestätigten Sitzungen wurden abgemeldet.

Wenn das ein Versehen war, fügen Sie das Gerät im Portal erneut hinzu. Wenn Sie kein anderes Gerät haben, bitten Sie Ihren Administrator um einen neuen Aktivierungscode.

[Anmelden](\${link})`,
    },

    'one-time-code': {
      subject: 'Ihr Einmalcode für ${organisation}',
      body: `Das ist Ihr Einmalcode, mit dem Sie \${organisation} beitreten:

\${code}

Er kann einmal verwendet werden, bis zum \${expiresAt}.

> Wenn Sie nicht beitreten wollten, können Sie diese Nachricht ignorieren.`,
    },

    'email-code': {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse für ${organisation}',
      body: `Um zu bestätigen, dass das Ihre E-Mail-Adresse ist, geben Sie diesen Code in Ihrem Profil bei \${organisation} ein:

\${code}

Er kann einmal verwendet werden, bis zum \${expiresAt}.

> Wenn Sie dort kein Konto haben oder das nicht angefordert haben, können Sie diese Nachricht ignorieren: Es ändert sich nichts.`,
    },

    'email-change': {
      subject: 'Ihre E-Mail-Adresse bei ${organisation} soll geändert werden',
      body: `Am \${at} hat jemand, der in Ihrem Konto bei \${organisation} angemeldet war, darum gebeten, diese Adresse durch \${newEmail} zu ersetzen. Die Änderung gilt, sobald der an die neue Adresse gesendete Code eingegeben wird, spätestens am \${expiresAt}.

Wenn Sie das nicht waren, melden Sie sich an, öffnen Sie „Profil bearbeiten“ und wählen Sie „Änderung abbrechen“, oder bitten Sie Ihren Administrator darum. Prüfen Sie danach Ihre Geräte.

[Anmelden](\${link})`,
    },

    'email-changed': {
      subject: 'Ihre E-Mail-Adresse bei ${organisation} wurde geändert',
      body: `Seit dem \${at} verwendet Ihr Konto bei \${organisation} die Adresse \${newEmail}. E-Mails gehen nicht mehr an Ihre bisherige Adresse.

Wenn Sie das nicht waren, wenden Sie sich sofort an Ihren Administrator.`,
    },

    'security-alert': {
      subject: 'Sicherheit: ${alert}',
      body: `\${what}

\${details}

\${advice}

[Anmelden](\${link})

> Sie erhalten diese E-Mail, weil Sie die Sicherheitseinstellungen von \${organisation} ändern können. Weitere Warnungen derselben Art werden eine Stunde lang nicht per E-Mail gesendet, sind aber alle unter „Aktivität“ aufgeführt.`,
    },

    'sign-up-known': {
      subject: 'Sie haben bereits ein Konto bei ${organisation}',
      body: `Am \${at} hat jemand von der IP-Adresse \${ip} aus versucht, sich mit Ihrer E-Mail-Adresse bei \${organisation} zu registrieren. Sie haben dort bereits ein Konto, daher wurde nichts geändert.

Wenn Sie das waren, melden Sie sich mit Ihrer Authenticator-App an. Wenn Sie kein Gerät haben, bitten Sie Ihren Administrator um einen Aktivierungscode.

[Anmelden](\${link})

> Wenn Sie das nicht waren, müssen Sie nichts tun: Niemand hat erfahren, dass Sie ein Konto haben.`,
    },
  },
  // Ends with an exclamation mark: after a comma, German would start the next paragraph in lower case.
  greeting: (firstName) => `Guten Tag ${firstName}!`,
  reason: (organisation) =>
    `Sie erhalten diese E-Mail, weil Sie Mitglied von ${organisation} sind oder eingeladen wurden, es zu werden.`,
  codeGone: '(Dieser Code ist nicht mehr gültig.)',
  linkGone: '(Dieser Link ist nicht mehr gültig.)',
  app: { mobile: 'mobil', desktop: 'Desktop' },
  device: { mobile: 'Smartphone', desktop: 'Computer' },
  time: 'Zeit',
  alert: {
    subject: 'Jemand versucht, Aktivierungscodes zu erraten',
    what: 'Aus einem Netzwerk wurden viele falsche Aktivierungscodes eingegeben.',
    details: [['Adresse', '203.0.113.7']],
    advice: 'Wenn Sie dieses Netzwerk nicht kennen, sperren Sie es unter „Sicherheit“.',
  },
};
