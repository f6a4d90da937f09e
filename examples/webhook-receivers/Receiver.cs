// Prints the webhooks that Trustwright signed, and refuses all others: dotnet run BASE_URL PORT
// Needs .NET 8 or newer and the package BouncyCastle.Cryptography, because .NET has no Ed25519.
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Org.BouncyCastle.Crypto.Parameters;
using Org.BouncyCastle.Crypto.Signers;

var baseUrl = args.Length > 0 ? args[0] : "http://localhost:3000";
var port = args.Length > 1 ? args[1] : "4000";
var verifier = new WebhookVerifier(baseUrl);
using var listener = new HttpListener();
listener.Prefixes.Add($"http://127.0.0.1:{port}/");
listener.Start();
Console.WriteLine($"Listening on port {port}");
while (true)
{
    var context = await listener.GetContextAsync();
    using var content = new MemoryStream();
    await context.Request.InputStream.CopyToAsync(content);
    var fault = await verifier.FindFault(
        context.Request.HttpMethod, context.Request.RawUrl ?? "", name => context.Request.Headers[name], content.ToArray());
    Console.WriteLine(fault is null ? Encoding.UTF8.GetString(content.ToArray()) : $"refused: {fault}");
    context.Response.StatusCode = fault is null ? 204 : 401;
    context.Response.Close();
}

/// <summary>Verifies signatures (RFC 9421) with the keys of a tenant.</summary>
public sealed class WebhookVerifier(string baseUrl)
{
    static readonly string[] MustBeCovered = ["@request-target", "@method", "@authority", "content-digest"];
    static readonly HttpClient Client = new() { Timeout = TimeSpan.FromSeconds(5) };
    const long FreshSeconds = 300;
    const long KeysReadEveryMs = 10_000;
    Dictionary<string, byte[]> keys = [];
    long readAt = -KeysReadEveryMs;

    /// <summary>Returns what is wrong with the signature, or null. `header` returns a header or null.</summary>
    public async Task<string?> FindFault(string method, string target, Func<string, string?> header, byte[] body)
    {
        var input = Regex.Match(header("signature-input") ?? "", @"^sig1=(\(([^)]*)\).*)$");
        if (!input.Success) return "the request has no signature";
        var parameters = input.Groups[1].Value;
        var names = input.Groups[2].Value.Replace("\"", "").Split(' ');
        if (MustBeCovered.Except(names).Any()) return "the signature does not cover all parts";
        _ = long.TryParse(First(@";created=(\d+)", parameters), out var created);
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - created) > FreshSeconds) return "the signature is too old";
        var digest = Convert.ToBase64String(SHA256.HashData(body));
        if (header("content-digest") != $"sha-256=:{digest}:") return "the body was changed";

        var text = new StringBuilder();
        foreach (var name in names)
        {
            var value = name switch
            {
                "@request-target" => target,
                "@method" => method,
                "@authority" => header("host"),
                _ => header(name),
            };
            text.Append($"\"{name}\": {value}\n");
        }
        text.Append($"\"@signature-params\": {parameters}");
        var key = await FindKey(First(";keyid=\"([^\"]+)\"", parameters));
        if (key is null) return "the key of the signature is unknown";
        var bytes = Encoding.UTF8.GetBytes(text.ToString());
        var signer = new Ed25519Signer();
        signer.Init(false, new Ed25519PublicKeyParameters(key));
        signer.BlockUpdate(bytes, 0, bytes.Length);
        var signature = new byte[64];
        var isSignature = Convert.TryFromBase64String(First("^sig1=:([^:]*):$", header("signature") ?? ""), signature, out var length);
        return isSignature && length == 64 && signer.VerifySignature(signature) ? null : "the signature is wrong";
    }

    /// <summary>Keys rotate. They are read again for an unknown key, but not for each wrong request.</summary>
    async Task<byte[]?> FindKey(string id)
    {
        if (!keys.ContainsKey(id) && Environment.TickCount64 - readAt >= KeysReadEveryMs)
        {
            readAt = Environment.TickCount64;
            using var found = JsonDocument.Parse(await Client.GetStringAsync($"{baseUrl.TrimEnd('/')}/v1/webhooks/jwks"));
            keys = found.RootElement.GetProperty("keys").EnumerateArray().ToDictionary(
                jwk => jwk.GetProperty("kid").GetString()!, jwk => FromBase64Url(jwk.GetProperty("x").GetString()!));
        }
        return keys.GetValueOrDefault(id);
    }

    static byte[] FromBase64Url(string text) =>
        Convert.FromBase64String(text.Replace('-', '+').Replace('_', '/').PadRight((text.Length + 3) / 4 * 4, '='));

    static string First(string pattern, string text) => Regex.Match(text, pattern).Groups[1].Value;
}
