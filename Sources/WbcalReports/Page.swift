/// Returns a self-contained page of HTML in the style of the reports.
///
/// - Parameters:
///   - title: The title, which is escaped here.
///   - content: The elements of the page, in HTML.
func page(title: String, _ content: String) -> String {
  """
  <!DOCTYPE html>
  <html lang="en">
  <head>
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <meta name="color-scheme" content="light dark" />
  <title>\(escaped(title))</title>
  <style>
  \(CalibrationReport.style)
  </style>
  </head>
  <body>
  \(content)
  </body>
  </html>

  """
}
