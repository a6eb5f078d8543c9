//! The words of one line.

/// A word or sign.
#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// `%name`
    Local(String),
    /// `@name`
    Global(String),
    /// A keyword, type, block, loop or number.
    Word(String),
    /// `"text"`
    Text(String),
    /// A sign.
    Sign(&'static str),
}

const SIGNS: [&str; 12] = ["->", "/u", "(", ")", "[", "]", ",", ";", ":", "=", "+", "*"];

/// The unread rest of a line.
#[derive(Clone, Debug)]
pub struct Line {
    number: usize,
    tokens: Vec<Token>,
    at: usize,
}

impl Line {
    /// Takes line `number` apart; what follows `#` is a comment.
    pub fn new(number: usize, text: &str) -> Result<Self, String> {
        let mut line = Line { number, tokens: vec![], at: 0 };
        let mut rest = text.trim_start();
        while !rest.is_empty() && !rest.starts_with('#') {
            let (token, after) = line.token(rest)?;
            line.tokens.push(token);
            rest = after.trim_start();
        }
        Ok(line)
    }

    fn token<'a>(&self, rest: &'a str) -> Result<(Token, &'a str), String> {
        for (sigil, make) in [('%', Token::Local as fn(String) -> Token), ('@', Token::Global)] {
            if let Some(after) = rest.strip_prefix(sigil) {
                let (name, after) = if after.starts_with('"') { self.quoted(after)? } else { word(after) };
                return if name.is_empty() { Err(self.error("a name is missing")) } else { Ok((make(name), after)) };
            }
        }
        if rest.starts_with('"') {
            let (text, after) = self.quoted(rest)?;
            return Ok((Token::Text(text), after));
        }
        for sign in SIGNS {
            if let Some(after) = rest.strip_prefix(sign) {
                return Ok((Token::Sign(sign), after));
            }
        }
        match word(rest) {
            (word, after) if !word.is_empty() => Ok((Token::Word(word), after)),
            _ => Err(self.error(&format!("cannot read '{rest}'"))),
        }
    }

    fn quoted<'a>(&self, rest: &'a str) -> Result<(String, &'a str), String> {
        let mut text = String::new();
        let mut chars = rest.char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => return Ok((text, &rest[i + 1..])),
                '\\' => match chars.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, c)) => text.push(c),
                    None => break,
                },
                c => text.push(c),
            }
        }
        Err(self.error("a quotation mark is missing"))
    }

    /// A message about this line.
    pub fn error(&self, what: &str) -> String {
        format!("line {}: {what}", self.number)
    }

    /// The next token, not yet taken.
    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// The token after the next.
    pub fn peek_second(&self) -> Option<&Token> {
        self.tokens.get(self.at + 1)
    }

    /// Takes a token.
    pub fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Takes a sign if it comes next.
    pub fn eat(&mut self, sign: &'static str) -> bool {
        let found = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    /// Takes a word if it comes next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        self.at += usize::from(found);
        found
    }

    /// Takes a sign that must come next.
    pub fn expect(&mut self, sign: &'static str) -> Result<(), String> {
        if self.eat(sign) { Ok(()) } else { Err(self.wanted(&format!("'{sign}'"))) }
    }

    /// Takes a word that must come next; `what` it is, for the message.
    pub fn word(&mut self, what: &str) -> Result<String, String> {
        match self.peek().cloned() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.wanted(what)),
        }
    }

    /// A word or quoted text that must come next.
    pub fn text(&mut self, what: &str) -> Result<String, String> {
        match self.peek().cloned() {
            Some(Token::Word(text) | Token::Text(text)) => {
                self.at += 1;
                Ok(text)
            }
            _ => Err(self.wanted(what)),
        }
    }

    /// An id such as `b3` or `L0`.
    pub fn id(&mut self, prefix: &str, what: &str) -> Result<u32, String> {
        let before = self.clone();
        let word = self.word(what)?;
        word.strip_prefix(prefix).and_then(|n| n.parse().ok()).ok_or_else(|| before.wanted(what))
    }

    /// Nothing may follow.
    pub fn end(&self) -> Result<(), String> {
        if self.is_empty() { Ok(()) } else { Err(self.wanted("the end of the line")) }
    }

    /// A message that something else was expected here.
    pub fn wanted(&self, what: &str) -> String {
        let found = match self.peek() {
            Some(Token::Local(n)) => format!("'%{n}'"),
            Some(Token::Global(n)) => format!("'@{n}'"),
            Some(Token::Word(w)) => format!("'{w}'"),
            Some(Token::Text(t)) => format!("{t:?}"),
            Some(Token::Sign(s)) => format!("'{s}'"),
            None => "the end of the line".to_string(),
        };
        self.error(&format!("expected {what}, found {found}"))
    }
}

/// Whether a character needs no quotation marks.
fn plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-')
}

fn word(rest: &str) -> (String, &str) {
    let end = rest.find(|c| !plain(c)).unwrap_or(rest.len());
    // "a->b" is two words and a sign.
    let end = rest[..end].find("->").or(rest[..end].ends_with('-').then(|| end - 1)).unwrap_or(end);
    (rest[..end].to_string(), &rest[end..])
}

/// A name or constant, in quotation marks where the language needs them.
pub fn quote(text: &str) -> String {
    if !text.is_empty() && text.chars().all(plain) && !text.contains("->") && !text.ends_with('-') {
        return text.to_string();
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
