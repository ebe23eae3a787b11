import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

/**
 * Drives a portal with only the JDK, and prints the results: java SignIn.java http://localhost:3000
 * In your suite, use its JSON library instead of `field`.
 */
public class SignIn {
    /** By default, the JDK requests HTTP/2, which Node.js before 24.9 mistakes for a WebSocket. */
    static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    static final String LAB_TOKEN = System.getenv("LAB_TOKEN");

    /** A portal: the main one, or a space of it. */
    record Portal(String url) {
        /** Calls an endpoint. A refusal is a response with a `resultName`. */
        String send(String method, String path, String body, String token) throws Exception {
            String bearer = token != null ? token : path.startsWith("/api/lab/") ? LAB_TOKEN : null;
            var request = HttpRequest.newBuilder(URI.create(url + path)).header("content-type", "application/json");
            if (bearer != null) request.header("authorization", "Bearer " + bearer);
            request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
            return CLIENT.send(request.build(), BodyHandlers.ofString()).body();
        }

        String post(String path, String body) throws Exception {
            return send("POST", path, body, null);
        }

        String get(String path) throws Exception {
            return send("GET", path, null, null);
        }
    }

    /** Returns the first field of this name in a response: a string, a number or a boolean. */
    static String field(String name, String json) {
        var found = Pattern.compile("\"" + name + "\":(?:\"([^\"]*)\"|([^,}\\]]+))").matcher(json);
        if (!found.find()) return "";
        return found.group(1) != null ? found.group(1) : found.group(2);
    }

    public static void main(String[] args) throws Exception {
        var main = new Portal(args.length > 0 ? args[0] : "http://localhost:3000");

        // Creates a space, which is a separate portal for this test, and a user with a phone.
        var started = main.post("/api/lab/spaces", "{}");
        var portal = new Portal(field("url", started));
        var email = field("email", portal.post("/api/lab/people", "{\"org\":\"acme\"}"));

        // Signs the user in with a code, approved on their phone.
        var login = field("loginId", portal.post("/api/user/login", "{\"orgCode\":\"acme\",\"mode\":\"QID\"}"));
        portal.post("/api/lab/logins/" + login + "/approve", "{\"as\":\"" + email + "\"}");
        var exchange = field("exchangeToken", portal.get("/api/user/login/" + login));
        var signedIn = "{\"loginId\":\"" + login + "\",\"exchangeToken\":\"" + exchange + "\"}";
        var token = field("token", portal.post("/api/user/login", signedIn));
        var profile = portal.send("GET", "/api/profile", null, token);
        System.out.println("sign-in: " + field("email", profile).equals(email));

        // Denies a sign-in on the phone.
        login = field("loginId", portal.post("/api/user/login", "{\"orgCode\":\"acme\",\"mode\":\"QID\"}"));
        portal.post("/api/lab/logins/" + login + "/deny", "{\"as\":\"" + email + "\"}");
        System.out.println("denied on the phone: " + field("state", portal.get("/api/user/login/" + login)));

        // Makes the next call fail, and counts the calls.
        portal.post("/api/lab/faults", "{\"match\":{\"path\":\"/api/profile\"},\"answer\":{\"resultName\":\"INVALID_PERMISSIONS\"}}");
        System.out.println("fault: " + field("resultName", portal.send("GET", "/api/profile", null, token)));
        System.out.println("verified: " + field("ok", portal.post("/api/lab/journal/verify", "{\"path\":\"/api/profile\",\"count\":2}")));

        // Issues tokens without a sign-in, with a claim of its own.
        var tokens = portal.post("/api/lab/tokens/issue", "{\"client\":\"team-wiki\",\"as\":\"" + email + "\",\"claims\":{\"tenant\":\"north\"}}");
        var payload = new String(java.util.Base64.getUrlDecoder().decode(field("idToken", tokens).split("\\.")[1]));
        System.out.println("tokens: " + field("tenant", payload));

        // Advances the clock by eleven minutes: the access token expires.
        portal.post("/api/lab/clock", "{\"advance\":\"11m\"}");
        System.out.println("clock: " + field("resultName", portal.send("GET", "/api/profile", null, token)));

        // A misspelt control is rejected with a suggestion.
        System.out.println("misspelt: " + field("resultName", portal.post("/api/lab/faults", "{\"match\":{\"path\":\"/api/profil\"},\"answer\":{\"status\":500}}")));
        main.send("DELETE", "/api/lab/spaces/" + field("spaceId", started), null, null);
    }
}
