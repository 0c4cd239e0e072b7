import Foundation
import Testing

@testable import ProfileFiles

struct JSONDamageTests {
  @Test(arguments: [
    ("", "it is empty"),
    ("[1,\n2,\n", "it ends before it is complete, in line 3"),
    (#"{"a": [1 2]}"#, "unexpected '2' in line 1, column 10"),
    ("{\n  \"a\": 1,,\n}", "unexpected ',' in line 2, column 10"),
    (#"[1, 2,]"#, "unexpected ']' in line 1, column 7"),
    (#"{"a": 1,}"#, "unexpected '}' in line 1, column 9"),
    ("[1}", "unexpected '}' in line 1, column 3"),
    ("{}}", "unexpected '}' in line 1, column 3"),
    ("{a: 1}", "unexpected 'a' in line 1, column 2"),
    ("[nul]", "unexpected 'nul' in line 1, column 2"),
    ("[NaN]", "unexpected 'N' in line 1, column 2"),
    ("[01]", "unexpected '01' in line 1, column 2"),
    ("[\n1e999]", "number 1e999 is too large in line 2, column 1"),
    ("[\"open]\n", "unexpected byte 0xA in line 1, column 8"),
    ("[\"open", "an unterminated string in line 1, column 2"),
    (#"["\x"]"#, #"unexpected '\' in line 1, column 3"#),
    ("\u{FEFF}[]", "unexpected byte 0xEF in line 1, column 1"),
    (String(repeating: "[", count: 600), "nested more than 512 levels deep"),
  ]) func theFirstDamageIsNamed(text: String, problem: String) {
    #expect(jsonDamage(in: text.utf8).contains(problem), "\(jsonDamage(in: text.utf8))")
  }

  /// Foundation determines what is valid JSON, for texts with a few bytes changed, deleted or
  /// inserted.
  @Test func damageIsFoundWhereFoundationFindsIt() {
    let whole = Array(
      #"{"a": [1, -2.5e+3, "x\u00e9\n", {"é": null, "c": [true, false, {}, []]}], "d": "\\\""}"#
        .utf8)
    let signs = Array("{}[]:,\"\\0123e.+- \nu\u{1}éa".utf8)
    var random = SystemRandomNumberGenerator()
    var (valid, damaged) = (0, 0)
    for _ in 0..<5000 {
      var text = whole
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: text.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = signs.randomElement(using: &random) ?? 0
        case 1: text.remove(at: place)
        default: text.insert(signs.randomElement(using: &random) ?? 0, at: place)
        }
      }
      let isValid =
        (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
      (valid, damaged) = isValid ? (valid + 1, damaged) : (valid, damaged + 1)
      // Foundation sometimes accepts a comma before a closing brace or bracket.
      let told = jsonDamage(in: text)
      let isClosing = told.hasPrefix("unexpected '}'") || told.hasPrefix("unexpected ']'")
      if isValid, isClosing { continue }
      #expect(
        isValid == (told == "it is damaged"),
        "\(String(decoding: text, as: UTF8.self)): \(told)")
    }
    #expect(valid > 1000 && damaged > 1000)
  }
}
