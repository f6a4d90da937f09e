<?php
// Prints the webhooks that Trustwright signed, and refuses all others: BASE_URL=… php -S 127.0.0.1:4000 receiver.php
// Needs PHP 8.1 or newer with the extension sodium, which PHP contains.

declare(strict_types=1);

const MUST_BE_COVERED = ['@request-target', '@method', '@authority', 'content-digest'];
const FRESH_SECONDS = 300;

/** Returns what is wrong with the signature (RFC 9421), or null. `$headers` have names in lower case. */
function findFault(string $baseUrl, string $method, string $target, array $headers, string $body): ?string
{
    if (!preg_match('/^sig1=(\(([^)]*)\).*)$/', $headers['signature-input'] ?? '', $input)) {
        return 'the request has no signature';
    }
    [, $params, $list] = $input;
    $names = explode(' ', str_replace('"', '', $list));
    if (array_diff(MUST_BE_COVERED, $names) !== []) {
        return 'the signature does not cover all parts';
    }
    $created = preg_match('/;created=(\d+)/', $params, $found) ? (int) $found[1] : 0;
    if (abs(time() - $created) > FRESH_SECONDS) {
        return 'the signature is too old';
    }
    $digest = base64_encode(hash('sha256', $body, true));
    if (($headers['content-digest'] ?? '') !== "sha-256=:$digest:") {
        return 'the body was changed';
    }

    $values = ['@request-target' => $target, '@method' => $method, '@authority' => $headers['host'] ?? ''] + $headers;
    $base = '';
    foreach ($names as $name) {
        $base .= "\"$name\": " . ($values[$name] ?? '') . "\n";
    }
    $base .= "\"@signature-params\": $params";
    $key = findKey($baseUrl, preg_match('/;keyid="([^"]+)"/', $params, $found) ? $found[1] : '');
    if ($key === null) {
        return 'the key of the signature is unknown';
    }
    preg_match('/^sig1=:([^:]*):$/', $headers['signature'] ?? '', $found);
    $signature = base64_decode($found[1] ?? '', true);
    $isValid = is_string($signature)
        && strlen($signature) === SODIUM_CRYPTO_SIGN_BYTES
        && sodium_crypto_sign_verify_detached($signature, $base, $key);
    return $isValid ? null : 'the signature is wrong';
}

/** Keys rotate. The file has the last ones. They are read again for an unknown key, at most every 10 seconds. */
function findKey(string $baseUrl, string $id): ?string
{
    $url = rtrim($baseUrl, '/') . '/v1/webhooks/jwks';
    $file = sys_get_temp_dir() . '/webhook-keys-' . sha1($url) . '.json';
    $known = keysOf((string) @file_get_contents($file));
    if (!isset($known[$id]) && (!is_file($file) || time() - filemtime($file) >= 10)) {
        $text = file_get_contents($url, false, stream_context_create(['http' => ['timeout' => 5]]));
        file_put_contents($file, (string) $text, LOCK_EX);
        $known = keysOf((string) $text);
    }
    return $known[$id] ?? null;
}

/** @return array<string, string> the keys of 32 bytes, by id */
function keysOf(string $jwks): array
{
    $keys = [];
    foreach (json_decode($jwks, true)['keys'] ?? [] as $jwk) {
        $keys[$jwk['kid']] = base64_decode(strtr($jwk['x'], '-_', '+/'));
    }
    return $keys;
}

$headers = array_change_key_case(getallheaders());
$body = (string) file_get_contents('php://input');
$baseUrl = getenv('BASE_URL') ?: 'http://localhost:3000';
$fault = findFault($baseUrl, $_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI'], $headers, $body);
file_put_contents('php://stdout', ($fault === null ? $body : "refused: $fault") . "\n");
http_response_code($fault === null ? 204 : 401);
