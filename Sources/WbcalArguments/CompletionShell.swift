/// A shell for which completion scripts can be written.
enum CompletionShell: String, CaseIterable {
  case zsh, bash, fish

  /// Returns the script. It gets the candidates from the program as it was typed, which may not be
  /// in the path.
  func script(for program: String) -> String {
    switch self {
    case .bash: Self.bashScript.replacing("PROGRAM", with: program)
    case .zsh: Self.zshScript.replacing("PROGRAM", with: program)
    case .fish: Self.fishScript.replacing("PROGRAM", with: program)
    }
  }

  /// For bash 3.2 and later, which splits `--name=value` into three words.
  private static let bashScript = #"""
    # Completion of PROGRAM for bash.

    _PROGRAM() {
      local IFS=$'\n' cur=${COMP_WORDS[COMP_CWORD]} word line extension extensions words=()
      [[ $cur == '=' ]] && cur=
      COMPREPLY=()
      for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == '=' ]] || words+=("$word")
      done
      while read -r line; do
        if [[ $line != :files* ]]; then
          [[ $line == "$cur"* ]] && COMPREPLY+=("${line%%$'\t'*}")
          continue
        fi
        # Bash then quotes names and adds a slash to directories, if it can.
        compopt -o filenames 2>/dev/null
        if [[ $line == :files ]]; then
          COMPREPLY=($(compgen -f -- "$cur"))
          continue
        fi
        COMPREPLY=($(compgen -d -- "$cur"))
        IFS=' ' read -ra extensions <<<"${line#:files }"
        for extension in "${extensions[@]}"; do
          COMPREPLY+=($(compgen -f -X "!*.$extension" -- "$cur"))
        done
      done < <("${COMP_WORDS[0]/#\~/$HOME}" --complete ${words[@]+"${words[@]}"} "$cur" 2>/dev/null)
    }

    complete -F _PROGRAM PROGRAM
    """#

  /// To be put in `$fpath` or sourced.
  private static let zshScript = #"""
    #compdef PROGRAM

    _PROGRAM() {
      local -a lines extensions
      local typed=${(Q)words[CURRENT]}
      lines=(${(f)"$("${(Q)words[1]/#\~/$HOME}" --complete "${(@Q)words[2,CURRENT-1]}" "$typed" 2>/dev/null)"})
      compset -P '--*='
      case $lines[1] in
        :files) _files ;;
        :files*)
          extensions=(${=lines[1]#:files})
          _files -g "*.(${(j:|:)extensions})"
          ;;
        *)
          lines=("${(@)lines//:/\\:}")
          lines=("${(@)lines/$'\t'/:}")
          _describe -t words word lines
          ;;
      esac
    }

    if [[ $funcstack[1] == _PROGRAM ]]; then
      _PROGRAM "$@"
    else
      compdef _PROGRAM PROGRAM
    fi
    """#

  private static let fishScript = #"""
    # Completion of PROGRAM for fish.

    function __PROGRAM_complete
      set -l words (commandline -opc)
      set -l program (string replace -r -- '^~' $HOME $words[1])
      command -q $program; or return
      set -l typed (commandline -ct)
      set -l start (string match -r -- '^--[^=]*=' "$typed")
      set -l value (string replace -r -- '^--[^=]*=' '' "$typed")
      for line in ($program --complete $words[2..] "$typed" 2>/dev/null)
        switch $line
          case ':files'
            printf '%s\n' "$start"(__fish_complete_path "$value")
          case ':files *'
            set -l extensions (string split ' ' -- $line)[2..]
            set -l pattern '(/|\.('(string join '|' $extensions)'))(\t|$)'
            set -l files (__fish_complete_path "$value" | string match --entire -r -- $pattern)
            printf '%s\n' "$start"$files
          case '*'
            printf '%s\n' "$start$line"
        end
      end
    end

    complete -c PROGRAM -f -a '(__PROGRAM_complete)'
    """#
}
