// Prints the webhooks that Trustwright signed, and refuses all others: go run receiver.go BASE_URL PORT
// Needs Go 1.18 or newer and nothing else.
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	fresh         = 5 * time.Minute
	keysReadEvery = 10 * time.Second
	maxBodyBytes  = 10_000_000
)

var (
	mustBeCovered  = []string{"@request-target", "@method", "@authority", "content-digest"}
	inputPattern   = regexp.MustCompile(`^sig1=(\(([^)]*)\).*)$`)
	createdPattern = regexp.MustCompile(`;created=(\d+)`)
	keyIDPattern   = regexp.MustCompile(`;keyid="([^"]+)"`)
	signaturePart  = regexp.MustCompile(`^sig1=:([^:]*):$`)
	client         = &http.Client{Timeout: 5 * time.Second}
)

// Verifier verifies signatures with the keys of a tenant.
type Verifier struct {
	JwksURL string
	mutex   sync.Mutex
	keys    map[string]ed25519.PublicKey
	readAt  time.Time
}

// Verify returns an error that says what is wrong with the signature (RFC 9421) of a request.
func (v *Verifier) Verify(request *http.Request, body []byte) error {
	input := inputPattern.FindStringSubmatch(request.Header.Get("signature-input"))
	if input == nil {
		return errors.New("the request has no signature")
	}
	params, names := input[1], strings.Split(strings.ReplaceAll(input[2], `"`, ""), " ")
	for _, name := range mustBeCovered {
		if !contains(names, name) {
			return errors.New("the signature does not cover all parts")
		}
	}
	created, _ := strconv.ParseInt(first(createdPattern, params), 10, 64)
	if age := time.Since(time.Unix(created, 0)); age > fresh || age < -fresh {
		return errors.New("the signature is too old")
	}
	digest := sha256.Sum256(body)
	if request.Header.Get("content-digest") != "sha-256=:"+base64.StdEncoding.EncodeToString(digest[:])+":" {
		return errors.New("the body was changed")
	}

	var base strings.Builder
	for _, name := range names {
		fmt.Fprintf(&base, "\"%s\": %s\n", name, valueOf(request, name))
	}
	fmt.Fprintf(&base, "\"@signature-params\": %s", params)
	key, err := v.findKey(first(keyIDPattern, params))
	if err != nil {
		return err
	}
	signature, _ := base64.StdEncoding.DecodeString(first(signaturePart, request.Header.Get("signature")))
	if !ed25519.Verify(key, []byte(base.String()), signature) {
		return errors.New("the signature is wrong")
	}
	return nil
}

func valueOf(request *http.Request, name string) string {
	switch name {
	case "@request-target":
		return request.RequestURI
	case "@method":
		return request.Method
	case "@authority":
		return request.Host
	}
	return strings.Join(request.Header.Values(name), ", ")
}

// findKey reads the keys again for an unknown key, because keys rotate, but not for each wrong request.
func (v *Verifier) findKey(id string) (ed25519.PublicKey, error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if _, known := v.keys[id]; !known && time.Since(v.readAt) > keysReadEvery {
		v.readAt = time.Now()
		if err := v.readKeys(); err != nil {
			return nil, err
		}
	}
	if key, known := v.keys[id]; known {
		return key, nil
	}
	return nil, errors.New("the key of the signature is unknown")
}

func (v *Verifier) readKeys() error {
	response, err := client.Get(v.JwksURL)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var found struct {
		Keys []struct{ Kid, X string }
	}
	if err := json.NewDecoder(response.Body).Decode(&found); err != nil {
		return err
	}
	keys := map[string]ed25519.PublicKey{}
	for _, jwk := range found.Keys {
		if x, err := base64.RawURLEncoding.DecodeString(jwk.X); err == nil && len(x) == ed25519.PublicKeySize {
			keys[jwk.Kid] = x
		}
	}
	v.keys = keys
	return nil
}

func first(pattern *regexp.Regexp, text string) string {
	if found := pattern.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

func contains(names []string, name string) bool {
	for _, each := range names {
		if each == name {
			return true
		}
	}
	return false
}

func main() {
	baseURL, port := "http://localhost:3000", "4000"
	if len(os.Args) > 2 {
		baseURL, port = os.Args[1], os.Args[2]
	}
	verifier := &Verifier{JwksURL: strings.TrimRight(baseURL, "/") + "/v1/webhooks/jwks"}
	http.HandleFunc("/", func(answer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, maxBodyBytes))
		if err == nil {
			err = verifier.Verify(request, body)
		}
		if err != nil {
			fmt.Println("refused:", err)
			answer.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Println(string(body))
		answer.WriteHeader(http.StatusNoContent)
	})
	fmt.Println("Listening on port", port)
	server := &http.Server{Addr: "127.0.0.1:" + port, ReadTimeout: 10 * time.Second}
	fmt.Fprintln(os.Stderr, server.ListenAndServe())
	os.Exit(1)
}
