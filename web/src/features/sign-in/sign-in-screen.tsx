export default function SignInScreen() {
  return null;
}
