import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A page, read by a parser that accepts only well-formed XML.
final class ParsedPage: NSObject, XMLParserDelegate {
  typealias Element = (name: String, attributes: [String: String], text: String)

  /// The elements in their order, with attributes and the text directly in them.
  private(set) var elements: [Element] = []
  /// The texts of the body cells and row headings of tables, by the table's id.
  private(set) var rows: [String: [[String]]] = [:]
  private var open: [Int] = []
  private var table: String?
  private var isInBody = false

  init(_ html: String) throws {
    super.init()
    let parser = XMLParser(data: Data(html.utf8))
    parser.delegate = self
    guard parser.parse() else {
      throw NotWellFormed(
        line: parser.lineNumber, reason: "\(String(describing: parser.parserError))")
    }
  }

  struct NotWellFormed: Error {
    var line: Int
    var reason: String
  }

  func texts(_ name: String, class wanted: String? = nil) -> [String] {
    elements.filter { element in
      element.name == name
        && (wanted.map {
          element.attributes["class"]?.split(separator: " ").contains(Substring($0)) ?? false
        }
          ?? true)
    }.map(\.text)
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append((name, attributes, ""))
    switch name {
    case "table":
      table = attributes["id"]
      rows[table ?? ""] = []
    case "tbody": isInBody = true
    case "tr" where isInBody: rows[table ?? ""]?.append([])
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if let last = open.last { elements[last].text += string }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    let index = open.removeLast()
    switch name {
    case "tbody": isInBody = false
    case "td", "th":
      if isInBody, let table, let last = rows[table]?.indices.last {
        rows[table]?[last].append(elements[index].text)
      }
    default: break
    }
  }
}
