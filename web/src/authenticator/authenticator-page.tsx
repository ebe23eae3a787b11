export default function AuthenticatorPage() {
  return null;
}
