// An application that signs users in with go-oidc and Go's OAuth library.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"sync"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

// The site's session of one browser.
type session struct {
	state, nonce, verifier, person, idToken string
	token                                   *oauth2.Token
}

var (
	site     = os.Getenv("URL")
	cookie   = "site-" + os.Getenv("PORT")
	lock     sync.Mutex
	sessions = map[string]*session{}
)

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func sessionOf(w http.ResponseWriter, r *http.Request) *session {
	lock.Lock()
	defer lock.Unlock()
	if known, err := r.Cookie(cookie); err == nil && sessions[known.Value] != nil {
		return sessions[known.Value]
	}
	name := random()
	sessions[name] = &session{}
	http.SetCookie(w, &http.Cookie{Name: cookie, Value: name, Path: "/"})
	return sessions[name]
}

// Serves a page, or 401 with the client's error.
func page(path string, answer func(*session, http.ResponseWriter, *http.Request) error) {
	http.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		if err := answer(sessionOf(w, r), w, r); err != nil {
			http.Error(w, "You are not signed in. Error: "+err.Error(), http.StatusUnauthorized)
		}
	})
}

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		panic(err)
	}
	var more struct {
		EndSession string `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&more); err != nil {
		panic(err)
	}
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  site + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	// Returns the verified ID token, which must contain the access token's at_hash.
	verify := func(token *oauth2.Token) (*oidc.IDToken, error) {
		raw, ok := token.Extra("id_token").(string)
		if !ok {
			return nil, fmt.Errorf("there is no ID token")
		}
		idToken, err := verifier.Verify(ctx, raw)
		if err != nil {
			return nil, err
		}
		return idToken, idToken.VerifyAccessToken(token.AccessToken)
	}

	page("/login", func(s *session, w http.ResponseWriter, r *http.Request) error {
		s.state, s.nonce, s.verifier = random(), random(), random()
		sum := sha256.Sum256([]byte(s.verifier))
		challenge := base64.RawURLEncoding.EncodeToString(sum[:])
		there := config.AuthCodeURL(s.state, oidc.Nonce(s.nonce),
			oauth2.SetAuthURLParam("prompt", "consent"),
			oauth2.SetAuthURLParam("code_challenge", challenge),
			oauth2.SetAuthURLParam("code_challenge_method", "S256"))
		http.Redirect(w, r, there, http.StatusFound)
		return nil
	})

	page("/callback", func(s *session, w http.ResponseWriter, r *http.Request) error {
		answer := r.URL.Query()
		if answer.Get("state") != s.state || answer.Get("error") != "" {
			return fmt.Errorf("the portal says %s", answer.Get("error"))
		}
		token, err := config.Exchange(ctx, answer.Get("code"), oauth2.SetAuthURLParam("code_verifier", s.verifier))
		if err != nil {
			return err
		}
		idToken, err := verify(token)
		if err != nil {
			return err
		}
		if idToken.Nonce != s.nonce {
			return fmt.Errorf("the nonce is another one")
		}
		var claims struct{ Email string }
		if err := idToken.Claims(&claims); err != nil {
			return err
		}
		s.token, s.person, s.idToken = token, claims.Email, token.Extra("id_token").(string)
		http.Redirect(w, r, site+"/me", http.StatusFound)
		return nil
	})

	page("/userinfo", func(s *session, w http.ResponseWriter, r *http.Request) error {
		info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(s.token))
		if err != nil {
			return err
		}
		var claims map[string]interface{}
		if err := info.Claims(&claims); err != nil {
			return err
		}
		fmt.Fprint(w, claims)
		return nil
	})

	page("/refresh", func(s *session, w http.ResponseWriter, r *http.Request) error {
		// Without an access token, the library immediately gets a new one.
		token, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: s.token.RefreshToken}).Token()
		if err != nil {
			return err
		}
		if _, err := verify(token); err != nil {
			return err
		}
		s.token = token
		fmt.Fprint(w, "refreshed")
		return nil
	})

	page("/logout", func(s *session, w http.ResponseWriter, r *http.Request) error {
		query := url.Values{"id_token_hint": {s.idToken}, "post_logout_redirect_uri": {site + "/signed-out"}}
		*s = session{}
		http.Redirect(w, r, more.EndSession+"?"+query.Encode(), http.StatusFound)
		return nil
	})

	page("/me", func(s *session, w http.ResponseWriter, r *http.Request) error {
		if s.person == "" {
			return fmt.Errorf("not signed in")
		}
		fmt.Fprint(w, s.person)
		return nil
	})

	page("/signed-out", func(s *session, w http.ResponseWriter, r *http.Request) error {
		fmt.Fprint(w, "Goodbye.")
		return nil
	})

	panic(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
